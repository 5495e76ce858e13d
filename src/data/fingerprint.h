// Whether two data sets are the same one, wherever their files lie and whatever format these have.
#pragma once

#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// 16 hexadecimal digits of the graph, its parts, features, labels and splits; what things are called takes no part.
std::string fingerprint(const Dataset& data);

}  // namespace geniepath
