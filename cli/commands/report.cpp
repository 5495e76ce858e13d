#include <iostream>

#include "arguments/run_arguments.h"
#include "base/file.h"
#include "commands/commands.h"
#include "report/run_report.h"
#include "terminal/console.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

void run_report(const RunArguments& options, const std::string& out) {
  options.require_cpu("report");
  const RunFolder folder(options.run);
  const RunDescription run = folder.description();
  const std::filesystem::path path = out.empty() ? folder.file("report.html") : std::filesystem::path(out);
  check_writable(path);
  const Dataset data = options.load(folder, run);
  ProgressLine line;
  const std::string page = report::run_report(folder, data, [&](size_t tried, size_t all) {
    line.show("paths of " + std::to_string(tried) + " of " + std::to_string(all) + " nodes taken away", tried == all);
  });
  write_atomically(path, [&](std::ostream& file) { file << page; });
  std::cerr << "wrote " << terminal(path.string()) << "\n";
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  auto out = std::make_shared<std::string>();
  CLI::App* sub = app.add_subcommand("report", "write one page about a trained run: curves, scores, receptive paths");
  options->bind(*sub);
  sub->add_option("--out", *out, "HTML file to write (default: report.html in the run's folder)");
  sub->callback([=] { run_report(*options, *out); });
}

}  // namespace geniepath::cli
