// What every program of ours does around its work: arguments, errors as one line, exit codes.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace geniepath::cli {

// Exit codes: 0, 1 for a mistake of ours, and this for one of the user or the machine.
constexpr int kUserError = 2;

// Runs `work` on the arguments after the program's name. An Error, a failing file or too little memory is one line on
// stderr and kUserError; whatever else is thrown is an internal error. What was printed has arrived, or that is an error.
int run_program(const char* name, int argc, char** argv, const std::function<void(std::vector<std::string>)>& work);

// Parses, runs the chosen subcommand, and prints what --help and --version ask for. A mistake in `arguments` is an Error.
void parse(CLI::App& app, std::vector<std::string> arguments);

}  // namespace geniepath::cli
