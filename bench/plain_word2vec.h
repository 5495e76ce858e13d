// Skip-gram with negative sampling as in word2vec.c: one thread, one pair after the other, a table of sigmoids, a long
// table to draw negatives from.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath::bench {

struct PlainWord2Vec {
  int64_t dimensions = 128, window = 10, negatives = 5;
  float rate = 0.025f;
};

// Trains from scratch on the concatenated walks; returns the number of pairs.
int64_t plain_word2vec(const Graph& graph, const std::vector<NodeId>& walks, const std::vector<int64_t>& walk_begin,
                       const PlainWord2Vec& options);

}  // namespace geniepath::bench
