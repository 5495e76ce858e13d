// Places for the nodes of an explanation: the explained one in the middle, each other one as many circles out as its
// shortest listed path has steps, near the one before it on that path. A neighbour that is listed only as the end of a
// longer path stands where that path ends.
#pragma once

#include <map>

#include "geniepath/explain.h"

namespace geniepath::report {

struct Point {
  double x = 0, y = 0;  // in [-1, 1]
};

std::map<NodeId, Point> radial_layout(const Explanation& explanation);

}  // namespace geniepath::report
