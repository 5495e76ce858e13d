// --class-names: names for a run's classes, chosen by the user.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "geniepath/run.h"

namespace geniepath::cli {

struct ClassNames {
  std::string given;

  void bind(CLI::App& command);
  // As many as the run has classes, each once; empty if none are given. Anything else is an Error.
  std::vector<std::string> names(const RunDescription& run) const;
  // The same or, if none are given, the run's own: one per class.
  std::vector<std::string> shown(const RunDescription& run) const;
};

}  // namespace geniepath::cli
