// Help in two lengths: --help has a command's own options and those used every day, --help-all has all.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geniepath::cli {

constexpr const char* kQuiet = "--quiet";

// Makes the program's own help fit the terminal.
void fit_help(CLI::App& app);

// `everyday` are the names, without dashes, of the grouped options that --help shows; options without a group are
// always shown. `examples` are whole command lines.
void add_help(CLI::App& command, const std::vector<std::string>& everyday, const std::vector<std::string>& examples);

// Options of data and tables that --help shows for every command that reads data.
std::vector<std::string> with_data_options(std::vector<std::string> others);

// Prepares the named command's full help if the arguments ask for it, and turns the request into --help.
void choose_help(CLI::App& app, std::vector<std::string>& arguments);

}  // namespace geniepath::cli
