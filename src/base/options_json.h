// Options as JSON objects.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geniepath/options.h"

namespace geniepath {

nlohmann::ordered_json to_json(const Options& options);

// Refuses unknown keys, wrong types and values out of bounds; `where` names the file or object in the message. Keys
// that are absent keep their value.
void read_json(Options& options, const nlohmann::ordered_json& object, const std::string& where);

}  // namespace geniepath
