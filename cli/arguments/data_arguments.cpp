#include "arguments/data_arguments.h"

#include <nlohmann/json.hpp>

#include "terminal/option_binder.h"

namespace geniepath::cli {

void take_typed(const CLI::App& app, const Options& typed, Options& kept) {
  nlohmann::ordered_json merged = kept.to_json();
  const nlohmann::ordered_json all = typed.to_json();
  for (const auto& [name, value] : all.items()) {
    if (app.count("--" + name) > 0) merged[name] = value;
  }
  kept.read_json(merged, "options");
}

void DataArguments::bind(CLI::App& command) {
  bind_source(command);
  bind_tables(command);
  bind_preparation(command);
}

void DataArguments::bind_source(CLI::App& command) {
  app = &command;
  bind_options(command, data, "Data");
}

void DataArguments::bind_tables(CLI::App& command) {
  bind_options(command, tables, "Your own tables (--data tables)");
}

void DataArguments::bind_preparation(CLI::App& command) {
  bind_options(command, transforms, "Preparation (default: as is usual for the data set)");
}

TransformOptions DataArguments::chosen_transforms(const std::string& name) const {
  TransformOptions chosen = usual_transforms(name);
  take_typed(*app, transforms, chosen);
  return chosen;
}

}  // namespace geniepath::cli
