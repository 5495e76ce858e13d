#include "training/train_json.h"

#include <nlohmann/json.hpp>

namespace geniepath {

using Json = nlohmann::ordered_json;

Json to_json(const Scores& scores) {
  Json object;
  for (const std::string& name : Scores::names()) {
    if (scores.ranked || (name != "roc_auc" && name != "average_precision")) object[name] = scores.by_name(name);
  }
  return object;
}

double score_from_json(const Json& score) { return score.is_null() ? kUndefined : score.get<double>(); }

Json to_json(const SplitScores& scores) {
  Json object{{"protocol", to_string(scores.protocol)}};
  if (scores.protocol != Protocol::kLabelCount) object["threshold"] = scores.threshold;
  object["valid"] = to_json(scores.valid);
  object["test"] = to_json(scores.test);
  return object;
}

Json to_json(const std::vector<SplitScores>& protocols) {
  Json list = Json::array();
  for (const SplitScores& scores : protocols) list.push_back(to_json(scores));
  return list;
}

Json to_json(const EpochRecord& record) {
  const bool scored = !record.valid.classes.empty();
  return {{"epoch", record.epoch},
          {"loss", record.loss},
          {"learning_rate", record.learning_rate},
          {"gradient_norm", record.gradient_norm},
          {judging_name(record.validated), scored ? to_json(record.valid) : Json::object()},
          {"best", record.best},
          {"seconds", record.seconds}};
}

const Json& judging_scores(const Json& record) { return record.at(judging_name(is_validated(record))); }

bool is_validated(const Json& record) { return !record.contains(judging_name(false)); }

}  // namespace geniepath
