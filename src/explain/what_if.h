// What the model would compute for some nodes if edges were gone, or nodes and edges were added: exact, and only as much
// computed again as differs from the trace and is asked for. Or what it would compute if the changed nodes attended
// otherwise and all others knew what they knew.
//
// At hop t a node differs from the trace only if a changed row is at most t - 1 steps upstream of it, and it matters only
// if a target is at most T - t steps downstream. So a node is computed again where the two meet, which for T = 7 and a
// change beside the target is at most 3 steps away; all others are read from the trace.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "explain/trace.h"

namespace geniepath::explain {

struct GraphChange {
  // The nodes that attend otherwise: all that each attends to, ascending. Ids from N on are new nodes.
  std::map<NodeId, std::vector<NodeId>> rows;
  bool one_way = false;      // an added edge has no counterpart
  bool others_held = false;  // all other nodes stay as in the trace, even where they would change
  at::Tensor new_h_0;        // of the new nodes, [M, K]; undefined where there are none
};

// What passes through the targets, R of them.
struct Trajectory {
  at::Tensor h_0;                  // [R, K]
  std::vector<at::Tensor> h_tmp;   // of hops 1 .. T, [R, K]
  std::vector<at::Tensor> h;       // h^(1) .. h^(T), [R, K]
};

// Targets are distinct.
Trajectory follow(const Trace& trace, std::span<const NodeId> targets, const GraphChange& change = {});

}  // namespace geniepath::explain
