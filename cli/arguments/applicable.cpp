#include "arguments/applicable.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/option_rules.h"
#include "base/options_json.h"
#include "geniepath/error.h"
#include "geniepath/run.h"
#include "terminal/config_file.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

Json values_of(const std::vector<const Options*>& structs) {
  Json all = Json::object();
  for (const Options* options : structs) all.update(to_json(*options));
  return all;
}

Json default_values() {
  const RunDescription run;
  return values_of({&run.data, &run.tables, &run.transforms, &run.model, &run.train, &run.walk});
}

// The keys of the config file given to `app`.
std::vector<std::string> config_keys_of(const CLI::App& app) {
  const CLI::Option* option = app.get_option_no_throw("--config");
  return option == nullptr || option->count() == 0 ? std::vector<std::string>() : config_keys(option->results().back());
}

}  // namespace

void check_applicable(const CLI::App& app, const std::vector<const Options*>& structs) {
  const OptionRules rules(structs);
  const Json values = values_of(structs), defaults = default_values();
  const std::vector<std::string> in_file = config_keys_of(app);
  for (const std::string& name : rules.names()) {
    const size_t given = app.count("--" + name);
    if (given == 0) continue;
    const std::string obstacle = rules.obstacle(name);
    if (obstacle.empty()) continue;
    const bool from_file = given == 1 && std::ranges::find(in_file, name) != in_file.end();
    if (from_file && values.at(name) == defaults.at(name)) continue;
    fail("--", name, from_file ? " (in the config file) " : " ", obstacle);
  }
}

}  // namespace geniepath::cli
