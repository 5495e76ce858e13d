// Options for a trained run and the data to use it on, shared by all subcommands that use a run.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "arguments/data_arguments.h"
#include "arguments/memory_arguments.h"
#include "geniepath/run.h"

namespace geniepath::cli {

// An Error for an option of tables that the run has learned: how columns become features and classes.
void refuse_learned(const IsGiven& typed);

struct LoadedData {
  Dataset data;      // prepared
  Features raw;      // its features as loaded
  bool own = false;  // the data that the run was trained on, unchanged since
};

struct RunArguments {
  std::string run;
  DataArguments data;
  std::string device = "cpu";
  int64_t threads = 0;
  MemoryArguments memory;  // of commands that bind it
  bool needs_labels = false;  // an Error if tables have no label column

  void bind(CLI::App& command);
  // Loads the run's model to --device.
  std::shared_ptr<Model> model(const RunFolder& folder) const;
  // An Error unless --device is the CPU, the only device that `command` supports.
  void require_cpu(const char* command) const;
  // Loads the run's own data, or other data where typed, prepared as the run's training data.
  Dataset load(const RunFolder& folder, const RunDescription& description) const;
  // The same, with what is lost by its preparation.
  LoadedData load_with_raw(const RunFolder& folder, const RunDescription& description) const;
  // An Error where writing `out` would lose what is read (output_file.h).
  void check_output(const std::filesystem::path& out, const RunFolder& folder, const RunDescription& description) const;
  // Whether load() reads the run's own data: no option for other data was typed. It may have changed since.
  bool uses_own_data() const;

 private:
  bool is_unchanged(const Dataset& loaded, const RunDescription& description) const;
};

}  // namespace geniepath::cli
