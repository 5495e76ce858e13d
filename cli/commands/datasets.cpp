// geniepath datasets: lists the data sets available by name.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/options_json.h"
#include "commands/commands.h"
#include "data/catalog/registry.h"
#include "terminal/help.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DatasetsCommand {
  std::string data_dir;
  bool json = false;
};

// "made", "present" or "absent"
const char* presence(const DatasetEntry& entry, const std::filesystem::path& data) {
  if (entry.files.empty()) return "made";
  return find_files_of(entry, data) ? "present" : "absent";
}

Json count(int64_t number) { return number < 0 ? Json() : Json(number); }

Json to_json(const DatasetEntry& entry, const std::filesystem::path& data) {
  const ExpectedCounts& c = entry.counts;
  return {{"name", entry.name},         {"summary", entry.summary},        {"task", to_string(entry.task)},
          {"metric", entry.metric},     {"nodes", count(c.nodes)},         {"edges", count(c.edges)},
          {"features", count(c.features)}, {"classes", count(c.classes)},  {"graphs", count(c.graphs)},
          {"train", count(c.train)},    {"valid", count(c.valid)},         {"test", count(c.test)},
          {"files", presence(entry, data)}, {"home", entry.home},
          {"transforms", to_json(entry.transforms)}};
}

std::string shown(int64_t number) { return number < 0 ? "-" : grouped(number); }

std::vector<std::string> row(const DatasetEntry& entry, const std::filesystem::path& data) {
  const ExpectedCounts& c = entry.counts;
  return {entry.name,      to_string(entry.task), entry.metric,          shown(c.nodes),
          shown(c.edges),  shown(c.features),     shown(c.classes),      presence(entry, data),
          entry.summary};
}

void run_datasets(const DatasetsCommand& arguments) {
  const std::filesystem::path data = data_folder(arguments.data_dir);
  if (arguments.json) {
    Json list = Json::array();
    for (const DatasetEntry& entry : dataset_registry()) list.push_back(to_json(entry, data));
    std::cout << list.dump(2) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> rows{
      {"name", "task", "metric", "nodes", "edges", "features", "classes", "files", "what it is"}};
  for (const DatasetEntry& entry : dataset_registry()) rows.push_back(row(entry, data));
  std::cout << table(rows) << "\nFiles are looked up in " << data.string()
            << "; `geniepath download NAME` fetches them.\n";
}

}  // namespace

void add_datasets(CLI::App& app) {
  CLI::App* command = app.add_subcommand("datasets", "list the data sets available by name");
  const auto arguments = std::make_shared<DatasetsCommand>();
  command->add_option("--data-dir", arguments->data_dir,
                      "folder of the data sets' files; default: the environment's GENIEPATH_DATA, else ./data");
  command->add_flag("--json", arguments->json, "as JSON");
  add_help(*command, {},
           {"geniepath datasets"});
  command->callback([arguments] { run_datasets(*arguments); });
}

}  // namespace geniepath::cli
