// Scores and training records as JSON, for metrics.jsonl, result.json and --json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "geniepath/train.h"

namespace geniepath {

nlohmann::ordered_json to_json(const Scores& scores);  // undefined ones as null
double score_from_json(const nlohmann::ordered_json& score);  // the reverse, of one score
nlohmann::ordered_json to_json(const std::vector<SplitScores>& protocols);
nlohmann::ordered_json to_json(const EpochRecord& record);

}  // namespace geniepath
