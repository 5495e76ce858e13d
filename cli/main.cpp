// geniepath: train, evaluate and use graph neural networks that learn which paths matter.
// Results go to stdout, everything else to stderr. A user's mistake is one line and exit code 2.

#include <cstdio>
#include <cstdlib>

#include "commands/commands.h"
#include "geniepath/error.h"
#include "geniepath/version.h"
#include "terminal/config_file.h"
#include "terminal/program.h"

namespace geniepath::cli {
namespace {

void run(std::vector<std::string> arguments) {
  CLI::App app("Graph neural networks that learn which paths in a graph matter (GeniePath, AAAI 2019).", "geniepath");
  app.require_subcommand(1);
  app.set_version_flag("--version", version());
  app.footer(
      "Start with:\n"
      "  geniepath train --data account-device --out runs/first\n"
      "  geniepath evaluate --run runs/first\n"
      "  geniepath train --help");
  add_train(app);
  add_evaluate(app);
  add_predict(app);
  add_embed(app);
  add_tune(app);
  add_explain(app);
  add_report(app);
  add_serve(app);
  add_compare(app);
  add_reproduce(app);
  add_datasets(app);
  add_inspect(app);
  add_convert(app);
  add_download(app);
  if (!arguments.empty() && !arguments[0].starts_with('-') && find_command(app, arguments[0]) == nullptr) {
    fail("'", arguments[0], "' is not a command; see 'geniepath --help'");
  }
  parse(app, with_config_file(app, std::move(arguments)));
}

}  // namespace
}  // namespace geniepath::cli

int main(int argc, char** argv) {
  const int code = geniepath::cli::run_program("geniepath", argc, argv, geniepath::cli::run);
  std::fflush(nullptr);
  std::_Exit(code);  // skips LibTorch's destructors, an eighth of the time of a short command
}
