#include <iostream>

#include "arguments/class_names.h"
#include "arguments/output_file.h"
#include "arguments/quality_arguments.h"
#include "arguments/run_arguments.h"
#include "base/file.h"
#include "commands/commands.h"
#include "report/run_report.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct ReportCommand {
  RunArguments run;
  ClassNames classes;
  QualityArguments quality;
  std::string out;
};

void run_report(const ReportCommand& command) {
  command.run.require_cpu("report");
  const RunFolder folder(command.run.run);
  const RunDescription run = folder.description();
  const std::filesystem::path path =
      command.out.empty() ? folder.file("report.html") : std::filesystem::path(command.out);
  command.run.check_output(path, folder, run);
  const std::vector<std::string> chosen = command.classes.names(run);
  const LoadedData loaded = command.run.load_with_raw(folder, run);
  loaded.check_split_is_kept("report", run);
  const QualityRecord record(folder, loaded.is_own());
  ProgressLine line;
  const report::RunReport made =
      report::run_report(folder, loaded.data, command.quality.options, QualityArguments::progress(line),
                         {loaded.raw, chosen, loaded.is_own()});
  write_atomically(path, [&](std::ostream& file) { file << made.page; });
  if (made.quality) record.write(*made.quality);
  std::cerr << "wrote " << output_text(path) << "\n";
}

}  // namespace

void add_report(CLI::App& app) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App* sub = app.add_subcommand("report", "write one page about a trained run: curves, scores, receptive paths");
  command->run.bind(*sub);
  sub->add_option("--out", command->out, "HTML file to write (default: report.html in the run's folder)");
  command->classes.bind(*sub);
  command->quality.bind(*sub);
  add_help(*sub, with_data_options({"sample", "hops"}),
           {"geniepath report --run runs/first"});
  sub->callback([=] { run_report(*command); });
}

}  // namespace geniepath::cli
