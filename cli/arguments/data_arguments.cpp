#include "arguments/data_arguments.h"

#include "terminal/option_binder.h"

namespace geniepath::cli {

IsGiven typed_in(const CLI::App& app) {
  return [&app](const std::string& name) { return app.count("--" + name) > 0; };
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
  bind_options(command, transforms, "Preparation (default: as usual for the data set)");
}

TransformOptions DataArguments::chosen_transforms(const std::string& name) const {
  TransformOptions chosen = usual_transforms(name);
  take_given(transforms, typed_in(*app), chosen);
  return chosen;
}

}  // namespace geniepath::cli
