#include <iostream>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "base/json_text.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "geniepath/run.h"
#include "run/run_files.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

// The result.json of a finished run.
Json result_of(const std::string& folder) {
  const auto path = RunFolder(folder).file(run::kResult);
  if (!std::filesystem::exists(path)) fail(folder, ": no finished run here (expected ", path.string(), ")");
  return parse_sealed_json(read_text(path), path.string());
}

std::vector<std::string> row_of(const Json& result, const std::string& folder) {
  std::vector<std::string> row{result.at("model"), result.at("data"),
                               std::to_string(whole_number(result.at("seed"), folder + ": seed"))};
  for (const std::string& metric : Scores::names()) row.push_back(fixed(result.at("test").at(metric), 4));
  row.push_back(std::to_string(whole_number(result.at("best_epoch"), folder + ": best_epoch")));
  row.push_back(fixed(result.at("seconds"), 1));
  return row;
}

void compare(const std::vector<std::string>& folders) {
  std::vector<std::string> heading{"model", "data", "seed"};
  for (const std::string& metric : Scores::names()) heading.push_back(metric);
  heading.insert(heading.end(), {"best epoch", "seconds"});
  std::vector<std::vector<std::string>> rows{heading};
  for (const std::string& folder : folders) {
    try {
      rows.push_back(row_of(result_of(folder), folder));
    } catch (const nlohmann::json::exception& error) {
      fail(folder, "/result.json: ", error.what());
    }
  }
  std::cout << table(rows);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto folders = std::make_shared<std::vector<std::string>>();
  CLI::App* sub = app.add_subcommand("compare", "show the test scores of finished runs side by side");
  sub->add_option("runs", *folders, "folders of the runs")->required();
  sub->callback([=] { compare(*folders); });
}

}  // namespace geniepath::cli
