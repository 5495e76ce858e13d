// Options from a file: the keys of the TOML file named by --config, as if typed first.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geniepath::cli {

// The subcommand of that name, or null.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

// The keys of a config file; an unreadable file is an Error.
std::vector<std::string> config_keys(const std::string& path);

// Inserts the arguments from the chosen subcommand's config file before its own, which therefore win. A key that is not
// an option of the subcommand, or an unreadable file, is an Error.
std::vector<std::string> with_config_file(const CLI::App& app, std::vector<std::string> arguments);

}  // namespace geniepath::cli
