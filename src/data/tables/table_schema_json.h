// A table schema as JSON, for model.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geniepath/tables.h"

namespace geniepath {

nlohmann::ordered_json to_json(const TableSchema& schema);
// An Error names `where` and what is missing or of the wrong kind.
TableSchema table_schema_from_json(const nlohmann::ordered_json& object, const std::string& where);

}  // namespace geniepath
