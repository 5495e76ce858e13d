// Options that name a run and the data to use it on, shared by all commands that use a trained run.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "arguments/data_arguments.h"
#include "geniepath/run.h"

namespace geniepath::cli {

struct RunArguments {
  std::string run;
  DataArguments data;
  std::string device = "cpu";
  int64_t threads = 0;

  void bind(CLI::App& command);
  // The run's model, where it is to run.
  std::shared_ptr<Model> model(const RunFolder& folder) const;
  // An Error where --device names a device that cannot be used, or any other than the CPU, which is all `command` has.
  void require_cpu(const char* command) const;
  // The run's own data, with what was typed in its place, prepared as the run's training data was.
  Dataset load(const RunFolder& folder, const RunDescription& description) const;
};

}  // namespace geniepath::cli
