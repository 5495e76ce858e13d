#include "arguments/train_command.h"

#include <algorithm>

#include "arguments/applicable.h"
#include "geniepath/error.h"
#include "terminal/config_file.h"
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
  const auto transforms = [this](const Dataset& raw) {
    TransformOptions chosen = data.chosen_transforms(raw);
    if (fold > 0) chosen.fold = fold;
    return chosen;
  };
  RunRequest request{*this, data.data, data.tables, transforms,
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

bool RecipeArguments::all_folds() const {
  const IsGiven typed = typed_in(*data.app);
  return typed("folds") && !typed("fold");
}

run::GivenOptions RecipeArguments::given() const {
  RunDescription values;
  static_cast<Recipe&>(values) = *this;
  values.data = data.data, values.tables = data.tables, values.transforms = data.transforms;
  if (fold > 0) values.transforms.fold = fold;
  return {std::move(values), typed_in(*data.app)};
}

void TrainCommand::bind(CLI::App& command) {
  command.add_option("--out", out, "folder for the run: weights, config, metrics")->capture_default_str();
  command.add_option("--seeds", seeds, "trainings, one folder per seed from --seed on")
      ->check(CLI::Range(1, 1000))->capture_default_str();
  command.add_flag("--json", json, "print the result as one JSON line on stdout");
  command.add_flag("--resume", resume, "continue the run in --out from its checkpoint");
  command.add_flag("--force", force, "replace the run in --out");
  command.add_option("--device", device, "where to train: cpu, cuda, cuda:1, ...");
  command.add_option("--threads", threads, "threads to use (0: every core it may use)")->check(CLI::Range(0, 4096));
  memory.bind(command);
  constexpr const char* kSeveral = "Several processes";
  command
      .add_option("--processes", processes,
                  "processes of this machine that train together, each with its share of the threads; torchrun, mpirun "
                  "and srun start them on several machines")
      ->check(CLI::Range(1, 4096))
      ->group(kSeveral);
  command
      .add_option("--partition", partition,
                  "folder of `geniepath partition`, with one piece of the data per process: no process loads the whole")
      ->group(kSeveral);
  command.add_option("--timeout", timeout, "of several processes: seconds to wait for another one before giving up")
      ->check(CLI::Range(2, 1000000))->capture_default_str()
      ->group(kSeveral);
  command.add_option("--config", config, "TOML file of options; the command line wins");
  RecipeArguments::bind(command);
}

ParsedTrain::ParsedTrain(const std::vector<std::string>& typed) {
  CLI::App* sub = app.add_subcommand("train");
  command.bind(*sub);
  std::vector<std::string> arguments{"train"};
  arguments.insert(arguments.end(), typed.begin(), typed.end());
  arguments = with_config_file(app, std::move(arguments));
  std::reverse(arguments.begin(), arguments.end());
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    fail(command.config, ": ", error.what());
  }
}

}  // namespace geniepath::cli
