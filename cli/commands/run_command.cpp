#include <algorithm>

#include "base/suggestion.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "geniepath/version.h"
#include "terminal/config_file.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/program.h"

namespace geniepath::cli {

void run_command(std::vector<std::string> arguments) {
  CLI::App app("Graph neural networks that learn which paths in a graph matter (GeniePath, AAAI 2019).", "geniepath");
  fit_help(app);
  app.require_subcommand(1);
  app.set_version_flag("--version", version());
  app.footer(
      "Start with:\n"
      "  geniepath train --out runs/first                        on generated data\n"
      "  geniepath train --edges edges.csv --nodes nodes.csv     on your own tables\n"
      "  geniepath serve --run runs/first                        explore the run in the browser\n"
      "  geniepath train --help");
  add_train(app);
  add_evaluate(app);
  add_predict(app);
  add_score(app);
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
  add_partition(app);
  add_download(app);
  add_completion(app);
  add_manual(app);
  if (arguments.empty()) arguments.push_back("--help");
  if (!arguments[0].starts_with('-') && find_command(app, arguments[0]) == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
    fail("'", arguments[0], "' is not a command; see 'geniepath --help'", did_you_mean(arguments[0], names));
  }
  if (std::ranges::find(arguments, kQuiet) != arguments.end()) be_quiet();
  choose_help(app, arguments);
  parse(app, with_config_file(app, std::move(arguments)));
}

}  // namespace geniepath::cli
