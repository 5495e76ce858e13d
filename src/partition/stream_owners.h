// Owners of the nodes of a graph that is read row by row, as from a mapped file: memory is in proportion to the nodes,
// not to the edges.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::partition {

// Says what is being done.
using Progress = std::function<void(const std::string&)>;

// As owners_of() (owners.h), without METIS. Where components do not divide evenly, three divisions are made, and the
// one that cuts the fewest edges is kept:
//   - ranges of the nodes' numbers;
//   - nodes one by one, in their order, each to the piece with the most of its neighbours, less a price that grows with
//     the piece's load (Fennel, Tsourakakis et al. 2014), in several passes, each starting from the last one's result
//     (restreaming, Nishimura and Ugander 2013);
//   - clusters (stream_clusters.h), placed in the same way, the largest first, if their graph is not larger than the
//     nodes.
// Then nodes move to where most of their neighbours are, while that helps. A row's entries are a node's neighbours: for
// directed edges, those into it. No piece has more than 1.03 times the mean work, except for what a single node or
// cluster of nodes has by itself. A function of the data and the count alone.
std::vector<int32_t> streamed_owners(const Dataset& data, int64_t count, const Progress& progress = {});

// Entries of the graph's rows from nodes of another owner.
int64_t cut_entries(const Graph& graph, const std::vector<int32_t>& owner);

}  // namespace geniepath::partition
