// geniepath: train, evaluate and use graph neural networks that learn which paths matter.
// Results go to stdout, everything else to stderr. A mistake of the user is one line and exit code 2.

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <system_error>

#include "base/mapped_pages.h"
#include "commands.h"
#include "config_file.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "kernels/cpu/instruction_set.h"
#include "text.h"

namespace {

constexpr int kUserError = 2;

int complain(const std::string& message) {
  std::cerr << "geniepath: " << geniepath::cli::terminal(message) << "\n";
  return kUserError;
}

// The library itself takes what is not a name for no limit.
void check_instruction_set_limit() {
  namespace cpu = geniepath::kernels::cpu;
  const char* name = std::getenv("GENIEPATH_CPU");
  if (name == nullptr || cpu::instruction_set_named(name).has_value()) return;
  std::string names;
  for (const std::string_view known : cpu::kInstructionSetNames) names += (names.empty() ? "" : ", ") + std::string(known);
  geniepath::fail("GENIEPATH_CPU is '", name, "'; expected one of ", names);
}

// What was printed has arrived, or the command has failed.
int finish_output() {
  if (std::cout.flush()) return 0;
  return complain("standard output: cannot write; what was to be printed is incomplete");
}

int run(int argc, char** argv) {
  check_instruction_set_limit();
  CLI::App app("Graph neural networks that learn which paths in a graph matter (GeniePath, AAAI 2019).", "geniepath");
  app.require_subcommand(1);
  app.set_version_flag("--version", GENIEPATH_VERSION);
  app.footer(
      "Start with:\n"
      "  geniepath train --data account-device --out runs/first\n"
      "  geniepath evaluate --run runs/first\n"
      "  geniepath train --help");
  geniepath::cli::add_train(app);
  geniepath::cli::add_evaluate(app);
  geniepath::cli::add_predict(app);
  geniepath::cli::add_embed(app);
  geniepath::cli::add_tune(app);
  geniepath::cli::add_explain(app);
  geniepath::cli::add_report(app);
  geniepath::cli::add_serve(app);
  geniepath::cli::add_compare(app);
  geniepath::cli::add_reproduce(app);
  geniepath::cli::add_bench(app);
  geniepath::cli::add_datasets(app);
  geniepath::cli::add_inspect(app);
  geniepath::cli::add_convert(app);
  geniepath::cli::add_download(app);
  if (argc > 1 && argv[1][0] != '-' && geniepath::cli::find_command(app, argv[1]) == nullptr) {
    return complain(std::string("'") + argv[1] + "' is not a command; see 'geniepath --help'");
  }
  std::vector<std::string> arguments = geniepath::cli::with_config_file(app, {argv + std::min(argc, 1), argv + argc});
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants a list
  try {
    app.parse(std::move(arguments));
    return finish_output();
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  geniepath::use_large_pages();
  geniepath::exit_when_a_mapping_is_lost("geniepath", kUserError);
  try {
    return run(argc, argv);
  } catch (const geniepath::Error& error) {
    return complain(error.what());
  } catch (const std::system_error& error) {  // files, streams and threads: the machine's doing, not ours
    return complain(error.what());
  } catch (const std::exception& error) {
    if (const std::string why = geniepath::out_of_memory_message(error); !why.empty()) return complain(why);
    std::cerr << "geniepath: internal error: " << geniepath::cli::terminal(error.what()) << "\n";
    return 1;
  }
}
