// geniepath inspect: prints a data set's counts and degrees.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "arguments/data_arguments.h"
#include "base/options_json.h"
#include "commands/commands.h"
#include "data/catalog/registry.h"
#include "data/statistics.h"
#include "geniepath/error.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/table_report.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct InspectCommand {
  DataArguments data;
  bool prepared = false;
  bool json = false;
};

std::string range_of(const DegreeBin& bin) {
  return bin.from == bin.to ? grouped(bin.from) : grouped(bin.from) + "-" + grouped(bin.to);
}

void print_histogram(const std::vector<DegreeBin>& histogram) {
  int64_t most = 1;
  for (const DegreeBin& bin : histogram) most = std::max(most, bin.nodes);
  std::cout << '\n' << padded("neighbours", 15) << "  " << padded("nodes", 9) << '\n';
  for (const DegreeBin& bin : histogram) {
    std::cout << padded(range_of(bin), 15) << "  " << padded(grouped(bin.nodes), 9) << "  "
              << bar(static_cast<double>(bin.nodes) / static_cast<double>(most), 40) << '\n';
  }
}

void print_table(const Dataset& data, const DatasetStatistics& s) {
  const auto line = [](const char* what, const std::string& value, const std::string& note = "") {
    std::cout << "  " << what << std::string(22 - std::string(what).size(), ' ') << padded(value, 12)
              << (note.empty() ? "" : "   ") << note << '\n';
  };
  std::cout << terminal(data.name) << ": " << to_string(data.task) << ", scored by " << data.metric << '\n';
  line("nodes", grouped(s.nodes));
  line("edges", grouped(s.edges), "undirected");
  line("self-loops", grouped(s.self_loops));
  line("entries", grouped(s.entries), "directed, as listed");
  line("features", grouped(s.features), data.features.is_sparse() ? "sparse" : "dense");
  line("density of features", std::to_string(s.density_of_features));
  line("classes", grouped(s.classes));
  line("graphs", grouped(s.graphs));
  line("train / valid / test", grouped(s.train) + " / " + grouped(s.valid) + " / " + grouped(s.test));
  line("components", grouped(s.components));
  line("isolated nodes", grouped(s.isolated), "no neighbour but themselves");
  line("most neighbours", grouped(s.max_degree));
  print_histogram(s.degree_histogram);
}

void inspect(const InspectCommand& arguments) {
  const DataOptions& source = arguments.data.data;
  TableSchema schema;
  Dataset data = [&] {
    const Activity loading("loading the data");
    return load_dataset(source, arguments.data.tables, schema);
  }();
  say_tables(schema.report, source.data);
  if (arguments.prepared) data = apply_transforms(data, fit_transforms(data, arguments.data.chosen_transforms(data)));
  DatasetStatistics statistics = statistics_of(data);
  statistics.edges = stated_edges(data.name, statistics.edges, statistics.self_loops);
  if (arguments.json) {
    std::cout << to_json(statistics).dump(2) << '\n';
  } else {
    print_table(data, statistics);
  }
}

}  // namespace

void add_inspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand("inspect", "print a data set's counts and degrees");
  const auto arguments = std::make_shared<InspectCommand>();
  arguments->data.bind(*command);
  command->add_flag("--prepared", arguments->prepared, "after the preparation, as models get it");
  command->add_flag("--json", arguments->json, "as JSON");
  add_help(*command, with_data_options({}),
           {"geniepath inspect --data cora", "geniepath inspect --edges edges.csv --nodes nodes.csv"});
  command->callback([arguments, command] {
    arguments->data.settle();
    const nlohmann::ordered_json preparation = to_json(arguments->data.transforms);
    for (const auto& [name, _] : preparation.items()) {
      if (!arguments->prepared && command->count("--" + name) > 0) fail("--", name, " applies only with --prepared");
    }
    inspect(*arguments);
  });
}

}  // namespace geniepath::cli
