// Radial layout of an explanation: the explained node in the middle, every other node on the circle given by the length
// of its shortest listed path, near its predecessor on that path. A neighbour listed only as the end of a longer path
// is placed where that path ends.
#pragma once

#include <map>

#include "geniepath/explain.h"

namespace geniepath::report {

struct Point {
  double x = 0, y = 0;  // in [-1, 1]
};

std::map<NodeId, Point> radial_layout(const Explanation& explanation);

}  // namespace geniepath::report
