// What-if predictions: the model's results for some nodes if edges were removed, or nodes and edges added. Exact;
// recomputes only what differs from the trace and affects the targets. With `others_held`, all unchanged nodes keep the
// states of the trace.
//
// At hop t a node differs from the trace only if a changed row is at most t - 1 steps upstream, and matters only if a
// target is at most T - t steps downstream. Only nodes that satisfy both are recomputed: for T = 7 and a change next to
// the target, those at most 3 steps away. All others are read from the trace.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "explain/trace.h"

namespace geniepath::explain {

struct GraphChange {
  // Changed rows: for each node all nodes it attends to after the change, ascending. Ids from N on are new nodes.
  std::map<NodeId, std::vector<NodeId>> rows;
  bool one_way = false;      // an added edge has no reverse
  bool others_held = false;  // all other nodes keep the states of the trace, even where these would change
  at::Tensor new_h_0;        // h^(0) of the new nodes, [M, K]; undefined without any
  // h^(0) in place of the trace's: per node its row of restated_h_0. These nodes are recomputed even if others are
  // held; if their h^(0) requires gradients, so does the trajectory.
  std::map<NodeId, int64_t> restated{};
  at::Tensor restated_h_0{};
};

// States of the R targets at every hop.
struct Trajectory {
  at::Tensor h_0;                  // [R, K]
  std::vector<at::Tensor> h_tmp;   // of hops 1 .. T, [R, K]
  std::vector<at::Tensor> h;       // h^(1) .. h^(T), [R, K]
};

// The targets must be distinct.
Trajectory follow(const Trace& trace, std::span<const NodeId> targets, const GraphChange& change = {});

}  // namespace geniepath::explain
