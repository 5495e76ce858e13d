// One process's piece of a data set: its own nodes with all edges into them, and its halo, the nodes of other processes
// from which these edges come.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::partition {

struct Piece {
  // Of the own nodes: features, labels and splits. Its graph has the halo's nodes last, without edges into them.
  Dataset data;
  std::vector<NodeId> node;         // own nodes' numbers in the whole data set, ascending
  std::vector<NodeId> halo;         // the halo's numbers there, by owner, then ascending
  std::vector<int32_t> halo_owner;  // ascending
  // Of inductive data, of every node of the graph: bit s is set if it is in a graph with nodes of split s (train, valid,
  // test). Else empty.
  std::vector<uint8_t> seen_by;
};

Piece cut_piece(const Dataset& data, std::span<const int32_t> owner, int32_t rank);

}  // namespace geniepath::partition
