// geniepath: train, evaluate and use graph neural networks that learn which paths matter.
// Results go to stdout, everything else to stderr. A mistake of the user is one line and exit code 2.

#include <algorithm>
#include <exception>
#include <iostream>

#include "commands.h"
#include "config_file.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/tensor_memory.h"
#include "text.h"

namespace {

constexpr int kUserError = 2;

int complain(const std::string& message) {
  std::cerr << "geniepath: " << geniepath::cli::terminal(message) << "\n";
  return kUserError;
}

int run(int argc, char** argv) {
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
    return 0;
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    return complain(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  geniepath::use_large_pages();
  try {
    return run(argc, argv);
  } catch (const geniepath::Error& error) {
    return complain(error.what());
  } catch (const std::exception& error) {
    if (const std::string why = geniepath::out_of_memory_message(error); !why.empty()) return complain(why);
    std::cerr << "geniepath: internal error: " << geniepath::cli::terminal(error.what()) << "\n";
    return 1;
  }
}
