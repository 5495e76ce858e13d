#include "run/baselines.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "run/run_files.h"
#include "training/batch.h"
#include "training/train_json.h"

namespace geniepath::run {
namespace {

// The same prediction for every one of `nodes`: what is most frequent among the training nodes. [M, C], [M, L] or [M,
// 1].
at::Tensor majority_prediction(const Dataset& data, int64_t nodes) {
  const at::Tensor labels = training::labels_of(data, data.train);
  if (data.task == Task::kMultiLabel) return (labels.mean(0, true) > 0.5).to(at::kFloat).repeat({nodes, 1});
  const int64_t commonest = labels.bincount({}, data.num_classes).argmax().item<int64_t>();
  if (data.task == Task::kBinary) return at::full({nodes, 1}, static_cast<float>(commonest));
  at::Tensor rows = at::zeros({nodes, data.num_classes});
  rows.select(1, commonest).fill_(1);
  return rows;
}

// The one class with a recall above 0, if that is 1 and other classes occur as well.
std::string only_class(Task task, const Scores& scores) {
  if (task == Task::kMultiLabel) return "";
  const ClassScores* only = nullptr;
  int64_t occurring = 0, found = 0;
  for (const ClassScores& c : scores.classes) {
    occurring += c.positives > 0;
    if (c.recall > 0) ++found, only = &c;
  }
  return occurring > 1 && found == 1 && only->recall == 1 ? only->name : "";
}

std::optional<Trained> train_mlp(const RunDescription& run, const Dataset& data, const TrainHooks& hooks,
                                 at::Device device) {
  Recipe recipe = run;
  recipe.model.model = "mlp";
  recipe.train.objective = Objective::kLabels;
  TrainHooks only_stop;
  only_stop.should_stop = hooks.should_stop;
  Trained trained = geniepath::train(data, recipe, only_stop, device);
  return trained.result.interrupted ? std::nullopt : std::optional(std::move(trained));
}

}  // namespace

std::optional<Baselines> measure_baselines(const RunDescription& run, const Dataset& data, const TrainResult& result,
                                           const TrainHooks& hooks, at::Device device) {
  if (run.data.data != "tables" || !run.tables.baselines || data.test.empty() || result.interrupted)
    return std::nullopt;
  Baselines made;
  const auto nodes = static_cast<int64_t>(data.test.size());
  made.majority = score_predictions(data.task, majority_prediction(data, nodes), training::labels_of(data, data.test),
                                    0.5, data.class_names);
  if (run.model.model != "mlp" && !is_walk_model(run.model.model)) {
    const auto start = std::chrono::steady_clock::now();
    const std::optional<Trained> mlp = train_mlp(run, data, hooks, device);
    if (!mlp) return std::nullopt;
    made.mlp = mlp->result.test;
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  made.only_class = only_class(data.task, result.test);
  const std::string metric = chosen_metric(run.train, data);
  const double own = result.test.by_name(metric);
  made.beaten = !(own <= made.majority.by_name(metric)) && !(made.mlp && own <= made.mlp->by_name(metric));
  return made;
}

nlohmann::ordered_json to_json(const Baselines& baselines) {
  nlohmann::ordered_json object{{"majority", geniepath::to_json(baselines.majority)}};
  if (baselines.mlp) object["mlp"] = geniepath::to_json(*baselines.mlp);
  object["seconds"] = baselines.seconds;
  if (!baselines.only_class.empty()) object["only_class"] = baselines.only_class;
  object["beaten"] = baselines.beaten;
  return object;
}

std::optional<nlohmann::ordered_json> recorded_baselines(const RunFolder& folder) {
  const auto path = folder.file(kResult);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const auto result = parse_sealed_json(read_text(path), path.string());
  return result.contains("baselines") ? std::optional(result.at("baselines")) : std::nullopt;
}

}  // namespace geniepath::run
