// A run's description as JSON: model.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geniepath/run.h"

namespace geniepath {

nlohmann::ordered_json to_json(const RunDescription& run);

// An Error names `where` and what is missing or of the wrong kind.
RunDescription run_description_from_json(const nlohmann::ordered_json& object, const std::string& where);

}  // namespace geniepath
