// Options from a file: the keys of the TOML file named by --config, as if they had been typed first.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geniepath::cli {

// The subcommand of that name; null where there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

// The arguments with those of the chosen subcommand's config file put in front of its own, which therefore win. A key
// that is none of the subcommand's options, or a file that cannot be read, is an Error.
std::vector<std::string> with_config_file(const CLI::App& app, std::vector<std::string> arguments);

}  // namespace geniepath::cli
