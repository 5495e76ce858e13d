// Fingerprint of a data set, independent of its files' location and format.
#pragma once

#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// 16 hexadecimal digits over the graph, its parts, features, labels and splits: what training depends on. Names and
// the ground truth do not matter.
std::string fingerprint(const Dataset& data);

}  // namespace geniepath
