// Common frame of our programs: arguments, one-line errors, exit codes.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>
#include <vector>

namespace geniepath::cli {

// Exit codes: 0, 1 for our own mistakes, and this for those of the user or the machine.
constexpr int kUserError = 2;
// Another process of the same training failed.
constexpr int kLostProcess = 3;

// Thrown to end the program with this code, after everything has been said.
struct Exit {
  int code;
};

// The path and arguments that this program was started with, to start it again.
struct StartedAs {
  std::string path;
  std::vector<std::string> arguments;
};
const StartedAs& started_as();

// Runs `work` on the arguments after the program's name. An Error, a failing file or a lack of memory gives one line on
// stderr and kUserError; other exceptions are internal errors. Incomplete output is an error, too.
int run_program(const char* name, int argc, char** argv, const std::function<void(std::vector<std::string>)>& work);

// The names of a command's options, without dashes.
std::vector<std::string> long_names(const CLI::App& command);

// Parses and runs the chosen subcommand, or prints help or version. A mistake in `arguments` is an Error.
void parse(CLI::App& app, std::vector<std::string> arguments);

}  // namespace geniepath::cli
