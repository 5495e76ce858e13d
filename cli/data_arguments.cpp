#include "data_arguments.h"

#include <nlohmann/json.hpp>

#include "data/registry.h"
#include "geniepath/error.h"
#include "option_binder.h"

namespace geniepath::cli {

Dataset DataArguments::load() const {
  DataOptions options = data;
  if (data.data != "tables" && !tables.nodes.empty()) {
    if (!CLI::detail::lexical_cast(tables.nodes, options.nodes)) {
      fail("--nodes: expected a whole number, found '", tables.nodes, "'; a file goes with --data tables");
    }
  }
  return load_dataset(options, tables);
}

void bind_data_arguments(CLI::App& app, DataArguments& arguments) {
  bind_options(app, arguments.data, "Data");
  app.remove_option(app.get_option("--nodes"));  // the tables have one of that name
  bind_options(app, arguments.tables, "Tables");
  app.get_option("--nodes")
      ->description("account-device: how many nodes to make; tables: the node tables, separated by commas");
}

TransformOptions chosen_transforms(const CLI::App& app, const TransformOptions& bound, const std::string& data) {
  const DatasetEntry* entry = find_dataset(data);
  TransformOptions chosen = entry == nullptr ? TransformOptions() : entry->transforms;
  nlohmann::ordered_json typed = nlohmann::ordered_json::object();
  const nlohmann::ordered_json all = bound.to_json();
  for (const auto& [name, value] : all.items()) {
    if (app.count("--" + name) > 0) typed[name] = value;
  }
  chosen.read_json(typed, "options");
  return chosen;
}

}  // namespace geniepath::cli
