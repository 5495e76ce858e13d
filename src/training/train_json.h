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

// The split whose scores choose the epoch, and their key in JSON: "valid" or, without validation nodes, "train".
constexpr const char* judging_name(bool validated) { return validated ? "valid" : "train"; }
// The scores of that split in a record of metrics.jsonl or result.json.
const nlohmann::ordered_json& judging_scores(const nlohmann::ordered_json& record);
// Whether they are of validation nodes; also true of records of older versions, which do not tell.
bool is_validated(const nlohmann::ordered_json& record);

}  // namespace geniepath
