// Turns a config struct's declared options into command-line options of the same names and help.
#pragma once

#include <CLI/CLI.hpp>

#include "geniepath/options.h"

namespace geniepath::cli {

// The struct must outlive the parsing; its values at this time are the defaults shown. Options are grouped under
// `group` in the help; one given twice counts as given last. Bounds are checked by the parser, so that a complaint names the option as it was typed.
void bind_options(CLI::App& app, Options& options, const std::string& group);

}  // namespace geniepath::cli
