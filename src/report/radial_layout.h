// Places for the nodes of an explanation: the explained one in the middle, hop h on circle h, each near the one it was
// reached through.
#pragma once

#include <map>

#include "geniepath/explain.h"

namespace geniepath::report {

struct Point {
  double x = 0, y = 0;  // in [-1, 1]
};

std::map<NodeId, Point> radial_layout(const Explanation& explanation);

}  // namespace geniepath::report
