// Turns a config struct's declared options into command-line options of the same names and help.
#pragma once

#include <CLI/CLI.hpp>

#include "geniepath/options.h"

namespace geniepath::cli {

// The struct must outlive the parsing; its current values are the defaults shown. Options are grouped under `group` in
// the help; the last of repeated options counts. The parser checks bounds, so that errors name the option as typed.
void bind_options(CLI::App& app, Options& options, const std::string& group);

// An error lists the names and suggests one.
CLI::Validator one_of_names(const std::vector<std::string>& names);

}  // namespace geniepath::cli
