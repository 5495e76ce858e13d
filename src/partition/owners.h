// Which process owns which node.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::partition {

// The process, 0 to count-1, of every node. Whole connected components where these divide the work evenly, so that no edge
// is cut; else parts with few edges between them, by METIS with this seed. Of inductive data, graphs with training nodes
// are divided by themselves, so that every process has its share of each split.
std::vector<int32_t> owners_of(const Dataset& data, int64_t count, uint64_t seed);

}  // namespace geniepath::partition
