// Options that were given but have no effect are refused.
#pragma once

#include <CLI/CLI.hpp>

#include <vector>

#include "geniepath/options.h"

namespace geniepath::cli {

// Refuses every option that was given to `app` but has no effect with the values of the others, by the rules in their
// declarations (OptionVisitor::only_where). `structs` have the values in force. A key of the config file may have its
// default value: files that list every option are accepted.
void check_applicable(const CLI::App& app, const std::vector<const Options*>& structs);

}  // namespace geniepath::cli
