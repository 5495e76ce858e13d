#include "arguments/data_arguments.h"

#include "arguments/applicable.h"
#include "data/transforms/splits.h"
#include "geniepath/error.h"
#include "terminal/option_binder.h"

namespace geniepath::cli {

namespace {

[[noreturn]] void refuse_given_split(const Dataset& raw, const TableOptions& tables) {
  const std::string looked_for =
      raw.name == "tables" ? "; looked for column '" + tables.split_column + "' of the node tables (--split-column)"
                           : "";
  fail("--split given: ", raw.name, " does not say which nodes are for training, validation and test", looked_for,
       "; --split stratified draws them");
}

}  // namespace

IsGiven typed_in(const CLI::App& app) {
  return [&app](const std::string& name) { return app.count("--" + name) > 0; };
}

std::string chosen_data(const IsGiven& typed, const std::string& data) {
  return !typed("data") && (typed("edges") || typed("nodes")) ? "tables" : data;
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
  bind_options(command, tables, "Your own tables (--edges, --nodes)");
}

void DataArguments::bind_preparation(CLI::App& command) {
  bind_options(command, transforms, "Preparation (default: as usual for the data set)");
}

void DataArguments::settle() {
  data.data = chosen_data(typed_in(*app), data.data);
  check_applicable(*app, {&data, &tables});
}

TransformOptions DataArguments::chosen_transforms(const Dataset& raw) const {
  TransformOptions chosen = usual_transforms(raw);
  const IsGiven typed = typed_in(*app);
  take_given(transforms, typed, chosen);
  if (typed("folds") && !typed("split")) chosen.split = SplitKind::kFolds;
  TransformOptions effective = chosen;
  effective.split = applied_split(raw, chosen.split);
  check_applicable(*app, {&effective});
  if (typed("split") && effective.split != chosen.split) refuse_given_split(raw, tables);
  return chosen;
}

}  // namespace geniepath::cli
