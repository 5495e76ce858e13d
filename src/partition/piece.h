// One process's piece of a data set: its own nodes with all edges into them, and its halo, the nodes of other processes
// from which these edges come.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::partition {

struct Piece {
  // Features, labels and splits of the own nodes. Its graph has the halo's nodes last, without edges into them.
  Dataset data;
  // Own nodes' numbers in the whole data set: first the interior, i.e. nodes that read no other piece's, ascending;
  // then the others, ascending.
  std::vector<NodeId> node;
  std::vector<NodeId> halo;         // the halo's numbers there, by owner, then ascending
  std::vector<int32_t> halo_owner;  // ascending
  // For inductive data, one per node of the graph: bit s is set if it is in a graph with nodes of split s (train,
  // valid, test). Else empty.
  std::vector<uint8_t> seen_by;
};

// How a piece is cut. Reads the data set's arrays row by row, so that these may be mapped.
struct CutOptions {
  // Allocates this many bytes for its rows, features and labels. None: ordinary memory.
  std::function<std::shared_ptr<void>(size_t bytes)> memory = {};
  // Applied to features of some nodes at a time; must keep their pattern where they are sparse. None: as they are.
  std::function<Features(const Features&)> values = {};
  // Whether features and labels have rows of the halo too, blank ones: zeros, and unknown.
  bool blank_halo = false;
};

Piece cut_piece(const Dataset& data, std::span<const int32_t> owner, int32_t rank, const CutOptions& options = {});

}  // namespace geniepath::partition
