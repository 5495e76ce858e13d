// A command's options as the parser has them, for completion scripts and manual pages.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace geniepath::cli {

struct ListedOption {
  std::string name;     // with dashes; of a positional argument without
  std::string value;    // what it takes, such as INT or FLOAT; empty: a flag
  std::vector<std::string> choices;
  std::string help, default_value, group;
  bool positional = false;

  std::string takes(const char* between = "|") const;  // "INT", or "a|b"
  bool takes_file() const;    // or any other text
};

ListedOption listed_option(const CLI::Option& option);  // by its first name

// In the order of declaration; --help among them. A flag that can be switched off has two entries, "--x" and "--no-x".
std::vector<ListedOption> options_of(const CLI::App& command);

// The commands of a program, in the order of its help.
std::vector<const CLI::App*> commands_of(const CLI::App& app);

}  // namespace geniepath::cli
