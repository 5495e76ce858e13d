// Options for a trained run and the data to use it on, shared by all subcommands that use a run.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "arguments/data_arguments.h"
#include "arguments/memory_arguments.h"
#include "geniepath/run.h"
#include "run/data_state.h"

namespace geniepath::cli {

// An Error for an option of tables that the run has learned: how columns become features and classes, and which way
// edges go.
void refuse_learned(const IsGiven& typed, const RunDescription& run);

// Says on stderr if the run's own data is not what it was trained on.
void say_if_changed(run::DataState state, const RunDescription& run);

struct LoadedData {
  Dataset data;      // prepared
  Features raw;      // its features as loaded, where they were asked for
  run::DataState state = run::DataState::kOther;

  bool is_own() const { return state == run::DataState::kOwn; }
  // Drawn anew, or from other data, a split says nothing about the training.
  bool has_splits_of_the_training(const RunDescription& run) const;
  // Forgets a split that is not the training's.
  void drop_other_split(const RunDescription& run);
  // An Error where the run would be scored on another split of its own data, or one drawn anew since that changed.
  void check_split_is_kept(const char* command, const RunDescription& run) const;
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
  LoadedData load(const RunFolder& folder, const RunDescription& description) const;
  // The same, with its features as loaded.
  LoadedData load_with_raw(const RunFolder& folder, const RunDescription& description) const;
  // An Error where writing `out` would lose what is read (output_file.h).
  void check_output(const std::filesystem::path& out, const RunFolder& folder, const RunDescription& description) const;
};

}  // namespace geniepath::cli
