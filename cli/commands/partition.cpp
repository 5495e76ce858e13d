// geniepath partition: prepares a data set and divides it into pieces, one per process of `train --partition`.
#include <iostream>
#include <memory>

#include "arguments/data_arguments.h"
#include "commands/commands.h"
#include "run/partition_folder.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct PartitionCommand {
  DataArguments data;
  std::string out;
  int64_t pieces = 2, seed = 1;
};

void divide(const PartitionCommand& arguments) {
  RunRequest request;
  request.data = arguments.data.data;
  request.tables = arguments.data.tables;
  request.transforms = [&](const Dataset& raw) { return arguments.data.chosen_transforms(raw); };
  const PreparedRun made = [&] {
    const Activity loading("loading the data");
    return prepare_run(request);
  }();
  say_tables(made.description.schema.report, made.description.data.data);
  const auto sizes = run::write_partition(made, arguments.pieces, static_cast<uint64_t>(arguments.seed), arguments.out);
  for (size_t rank = 0; rank < sizes.size(); ++rank) {
    const run::PieceSize& size = sizes[rank];
    std::cout << "piece " << rank << ": " << grouped(size.nodes) << " nodes, " << grouped(size.edges) << " edge entries, "
              << grouped(size.halo) << " nodes of other pieces read, " << bytes_text(size.bytes) << "\n";
  }
  std::cout << "train with: geniepath train --partition " << terminal(arguments.out) << " --processes " << arguments.pieces << "\n";
}

}  // namespace

void add_partition(CLI::App& app) {
  CLI::App* command = app.add_subcommand("partition", "divide a data set into pieces, for processes that train on one each");
  const auto arguments = std::make_shared<PartitionCommand>();
  arguments->data.bind(*command);
  command->add_option("--pieces", arguments->pieces, "one per process")->check(CLI::Range(2, 4096))->capture_default_str();
  command->add_option("--seed", arguments->seed, "of METIS, which divides the graph")->check(CLI::Range(0, 1 << 30))->capture_default_str();
  command->add_option("--out", arguments->out, "folder for the pieces")->required();
  add_help(*command, with_data_options({"split"}),
           {"geniepath partition --data graph.safetensors --pieces 4 --out pieces",
            "geniepath train --partition pieces --processes 4"});
  command->callback([arguments] {
    arguments->data.settle();
    divide(*arguments);
  });
}

}  // namespace geniepath::cli
