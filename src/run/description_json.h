// A run's description as JSON: model.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geniepath/run.h"

namespace geniepath {

nlohmann::ordered_json to_json(const RunDescription& run);

// The Error names `where` and the field that is missing or has the wrong type.
RunDescription run_description_from_json(const nlohmann::ordered_json& object, const std::string& where);

}  // namespace geniepath
