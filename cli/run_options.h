// Options that name a run and the data to use it on, shared by evaluate and predict.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

#include "geniepath/train.h"

namespace geniepath::cli {

struct RunOptions {
  std::string run;
  DataOptions data;
  int64_t threads = 0;
  CLI::App* app = nullptr;

  void bind(CLI::App& command);
  // The run's own data options, with what was given on the command line in their place.
  Dataset load(const RunDescription& description) const;
};

}  // namespace geniepath::cli
