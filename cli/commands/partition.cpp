// geniepath partition: prepares a data set and divides it into pieces, one per process of `train --partition`.
#include <iostream>
#include <memory>

#include "arguments/data_arguments.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "run/partition_folder.h"
#include "run/prepared_run.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct PartitionCommand {
  DataArguments data;
  std::string out;
  std::string method = "metis";
  int64_t pieces = 2, seed = 1;
  bool force = false;

  run::PartitionOptions options() const {
    return {pieces, method == "stream" ? run::PartitionMethod::kStream : run::PartitionMethod::kMetis,
            static_cast<uint64_t>(seed)};
  }
};

void divide(const PartitionCommand& arguments) {
  if (!arguments.force && run::holds_partition(arguments.out)) {
    fail(arguments.out, ": already holds a partition; replace it (--force), or choose another folder");
  }
  RunRequest request;
  request.data = arguments.data.data;
  request.tables = arguments.data.tables;
  request.transforms = [&](const Dataset& raw) { return arguments.data.chosen_transforms(raw); };
  const PreparedRun made = [&] {
    const Activity loading("loading the data");
    return run::prepare_but_values(request);
  }();
  say_tables(made.description.schema.report, made.description.data.data);
  const auto sizes = [&] {
    ProgressLine line;
    return run::write_partition(made, arguments.options(), arguments.out,
                                [&](const std::string& text) { line.show(text); });
  }();
  int64_t edges = 0, cut = 0;
  for (size_t rank = 0; rank < sizes.size(); ++rank) {
    const run::PieceSize& size = sizes[rank];
    edges += size.edges, cut += size.cut;
    std::cout << "piece " << rank << ": " << grouped(size.nodes, "node") << ", "
              << grouped(size.edges, "edge entry", "edge entries") << ", " << grouped(size.halo, "node")
              << " of other pieces read, " << bytes_text(size.bytes) << "\n";
  }
  const double share = edges == 0 ? 0 : 100.0 * static_cast<double>(cut) / static_cast<double>(edges);
  std::cout << fixed(share, 2) << " % of the edge entries are between pieces\n";
  std::cout << "train with: geniepath train --partition " << terminal(arguments.out) << " --processes "
            << arguments.pieces << "\n";
}

}  // namespace

void add_partition(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("partition", "divide a data set into pieces, for processes that train on one each");
  const auto arguments = std::make_shared<PartitionCommand>();
  arguments->data.bind(*command);
  command->add_option("--pieces", arguments->pieces, "one per process")
      ->check(CLI::Range(2, 4096))
      ->capture_default_str();
  command
      ->add_option("--method", arguments->method,
                   "who divides the graph: METIS, in memory, or passes over a graph that may be larger")
      ->check(CLI::IsMember({"metis", "stream"}))
      ->capture_default_str();
  command->add_option("--seed", arguments->seed, "of METIS")->check(CLI::Range(0, 1 << 30))->capture_default_str();
  command->add_option("--out", arguments->out, "folder for the pieces")->required();
  command->add_flag("--force", arguments->force, "replace the partition in --out");
  add_help(*command, with_data_options({"split"}),
           {"geniepath partition --data graph.safetensors --pieces 4 --out pieces",
            "geniepath partition --data graph.safetensors --pieces 4 --method stream --out pieces",
            "geniepath train --partition pieces --processes 4"});
  command->callback([arguments, command] {
    arguments->data.settle();
    if (arguments->method == "stream" && command->count("--seed") > 0)
      fail("--seed is METIS's, and has no effect with --method stream");
    divide(*arguments);
  });
}

}  // namespace geniepath::cli
