#include "options.h"

namespace geniepath::python {
namespace {

void read(Options& options, const OptionTexts& given, const std::string& group) {
  const auto found = given.find(group);
  if (found != given.end()) options.read_json_text(found->second, "train");
  options.check();
}

void read(Recipe& recipe, const OptionTexts& given) {
  read(recipe.model, given, "model");
  read(recipe.train, given, "train");
  read(recipe.walk, given, "walk");
}

}  // namespace

OptionTexts default_options() {
  return {{"model", ModelConfig().to_json_text()},        {"train", TrainConfig().to_json_text()},
          {"walk", WalkConfig().to_json_text()},          {"transforms", TransformOptions().to_json_text()},
          {"data", DataOptions().to_json_text()},         {"tables", TableOptions().to_json_text()}};
}

RunRequest request_of(const OptionTexts& given) {
  RunRequest request;
  read(request.recipe.model, given, "model");
  if (is_walk_model(request.recipe.model.model)) set_walk_defaults(request.recipe);
  read(request.recipe, given);
  read(request.data, given, "data");
  read(request.tables, given, "tables");
  request.transforms = [given](const Dataset& raw) {
    TransformOptions transforms = usual_transforms(raw);
    read(transforms, given, "transforms");
    return transforms;
  };
  request.keep_given = [given](Recipe& recipe) { read(recipe, given); };
  return request;
}

}  // namespace geniepath::python
