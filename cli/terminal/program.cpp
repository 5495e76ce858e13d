#include "terminal/program.h"

#include <sys/auxv.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/machine_memory.h"
#include "base/mapped_pages.h"
#include "base/suggestion.h"
#include "distributed/group.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "kernels/cpu/instruction_set.h"
#include "terminal/console.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

// The library itself treats an unknown name as no limit.
void check_instruction_set_limit() {
  namespace cpu = kernels::cpu;
  const char* name = std::getenv("GENIEPATH_CPU");
  if (name == nullptr || cpu::instruction_set_named(name).has_value()) return;
  std::string names;
  for (const std::string_view known : cpu::kInstructionSetNames)
    names += (names.empty() ? "" : ", ") + std::string(known);
  fail("GENIEPATH_CPU is '", name, "'; expected one of ", names);
}

// The first argument that looks like an option but is none of the command's.
[[noreturn]] void complain_about_extras(const CLI::App& app, const std::vector<std::string>& arguments,
                                        const char* message) {
  const CLI::App* command = &app;
  for (const CLI::App* chosen : app.get_subcommands()) command = chosen;
  const std::vector<std::string> names = long_names(*command);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || name == "--") continue;
    if (std::ranges::find(names, name.substr(2)) != names.end()) continue;
    std::vector<std::string> dashed;
    for (const std::string& known : names) dashed.push_back("--" + known);
    fail(name, ": not an option of '", command->get_display_name(), "'", did_you_mean(name, dashed));
  }
  fail(message);
}

// Refuses empty arguments, such as a variable that a script has not set.
void refuse_empty(const std::vector<std::string>& arguments) {
  for (size_t a = 0; a < arguments.size(); ++a) {
    const bool option = a > 0 && arguments[a].empty() && arguments[a - 1].starts_with("--");
    if (arguments[a].empty())
      fail(option ? arguments[a - 1] : "argument " + std::to_string(a + 1), ": expected a value, found nothing");
    if (arguments[a].starts_with("--") && arguments[a].ends_with('='))
      fail(arguments[a], ": expected a value, found nothing");
  }
}

StartedAs& this_start() {
  static StartedAs start;
  return start;
}

}  // namespace

const StartedAs& started_as() { return this_start(); }

int run_program(const char* name, int argc, char** argv, const std::function<void(std::vector<std::string>)>& work) {
  const auto complain = [&](const std::string& message) {
    say_error(std::string(name) + ": " + speaker() + terminal(message));
    return kUserError;
  };
  this_start() = {std::filesystem::absolute(reinterpret_cast<const char*>(::getauxval(AT_EXECFN))),
                  {argv + std::min(argc, 1), argv + argc}};
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit on a file's size fails instead, with a message
  use_large_pages();
  limit_tensor_bytes(machine_memory());  // a message, where the system would kill the process
  exit_when_a_mapping_is_lost(name, kUserError);
  try {
    check_instruction_set_limit();
    work({argv + std::min(argc, 1), argv + argc});
    if (std::cout.flush()) return 0;
    return complain("standard output: cannot write; the output is incomplete");
  } catch (const Exit& exit) {
    return exit.code;
  } catch (const distributed::LostProcess& error) {
    complain(error.what());
    return kLostProcess;
  } catch (const Error& error) {
    return complain(error.what());
  } catch (const std::system_error& error) {  // files, streams and threads: the machine's fault, not ours
    return complain(error.what());
  } catch (const std::exception& error) {
    if (const std::string why = out_of_memory_message(error); !why.empty()) return complain(why);
    complain(std::string("internal error: ") + error.what());
    return 1;
  }
}

std::vector<std::string> long_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  }
  return names;
}

void parse(CLI::App& app, std::vector<std::string> arguments) {
  const std::vector<std::string> typed = arguments;
  refuse_empty(typed);
  std::reverse(arguments.begin(), arguments.end());  // the order that CLI11 expects of a list
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::Success& request) {  // --help, --version
    app.exit(request);
  } catch (const CLI::ExtrasError& error) {
    complain_about_extras(app, typed, error.what());
  } catch (const CLI::ParseError& error) {
    fail(error.what());
  }
}

}  // namespace geniepath::cli
