#include "arguments/train_command.h"

#include "arguments/applicable.h"
#include "terminal/option_binder.h"

namespace geniepath::cli {

void RecipeArguments::bind(CLI::App& command) {
  data.bind_source(command);
  bind_options(command, model, "Model");
  bind_options(command, train, "Training");
  bind_options(command, walk, "Random walks (node2vec, deepwalk, --task unsupervised)");
  data.bind_tables(command);
  data.bind_preparation(command);
}

void RecipeArguments::settle() {
  data.settle();
  check_applicable(*data.app, {&data.data, &data.tables, &model, &train, &walk});
}

RunRequest RecipeArguments::request() const {
  RunRequest request{*this, data.data, data.tables, [this](const Dataset& raw) { return data.chosen_transforms(raw); },
                     [this](Recipe& recipe) { keep_typed(recipe); }};
  if (is_walk_model(model.model)) {
    set_walk_defaults(request.recipe);
    keep_typed(request.recipe);
  }
  return request;
}

void RecipeArguments::keep_typed(Recipe& recipe) const {
  take_given(model, typed_in(*data.app), recipe.model);
  take_given(train, typed_in(*data.app), recipe.train);
}

run::GivenOptions RecipeArguments::given() const {
  RunDescription values;
  static_cast<Recipe&>(values) = *this;
  values.data = data.data, values.tables = data.tables, values.transforms = data.transforms;
  return {std::move(values), typed_in(*data.app)};
}

void TrainCommand::bind(CLI::App& command) {
  command.add_option("--out", out, "folder for the run: weights, config, metrics")->capture_default_str();
  command.add_flag("--json", json, "print the result as one JSON line on stdout");
  command.add_flag("--resume", resume, "continue the run in --out from its last checkpoint");
  command.add_flag("--force", force, "replace the run in --out");
  command.add_option("--device", device, "where to train: cpu, cuda, cuda:1, ...");
  command.add_option("--threads", threads, "threads to use (0: every core it may use)")->check(CLI::Range(0, 4096));
  command.add_option("--config", config, "TOML file with these options as keys; the command line wins");
  RecipeArguments::bind(command);
}

}  // namespace geniepath::cli
