// Names of the features that tables give, for a graph file.
#pragma once

#include <string>
#include <vector>

#include "geniepath/tables.h"

namespace geniepath {

// "age", "country=pe" for a value of a one-hot column, "age is empty" for a mark; with several kinds of nodes
// "devices.age". Empty if features of a sparse column, which have no names, are among them.
std::vector<std::string> feature_names(const TableSchema& schema, const std::vector<std::string>& kinds);

}  // namespace geniepath
