#include "explain/what_if.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>

#include "explain/node_index.h"

namespace geniepath::explain {
namespace {

// Nodes with their distances, nearest first.
struct Reach {
  NodeIndex index;
  std::vector<int64_t> steps;  // by number in the index

  void add(NodeId node, int64_t away) {
    if (index.add(node).second) steps.push_back(away);
  }
};

class ChangedGraph {
 public:
  ChangedGraph(const Trace& trace, const GraphChange& change) : trace_(trace), change_(change) {}

  bool is_changed(NodeId node) const { return change_.rows.contains(node) || change_.restated.contains(node); }
  bool others_held() const { return change_.others_held; }

  // The nodes that this node attends to after the change.
  std::span<const NodeId> row(NodeId node) const {
    const auto changed = change_.rows.find(node);
    return changed != change_.rows.end() ? changed->second : trace_.graph.incoming().neighbours(node);
  }

  // The nodes that it attends to before or after the change. Distances are measured in this union, so that no change
  // makes a node farther away than it was when the trace was computed.
  std::vector<NodeId> row_now_or_before(NodeId node) const {
    const auto now = row(node);
    if (node >= trace_.graph.num_nodes()) return {now.begin(), now.end()};
    const auto before = trace_.graph.incoming().neighbours(node);
    std::vector<NodeId> both;
    std::set_union(now.begin(), now.end(), before.begin(), before.end(), std::back_inserter(both));
    return both;
  }

 private:
  const Trace& trace_;
  const GraphChange& change_;
};

// Nodes up to `radius` steps upstream of the targets; if the others are held, only through changed nodes.
Reach upstream(const ChangedGraph& graph, std::span<const NodeId> targets, int64_t radius) {
  Reach reach;
  for (const NodeId target : targets) reach.add(target, 0);
  for (int32_t n = 0; n < reach.index.size(); ++n) {
    const int64_t away = reach.steps[static_cast<size_t>(n)];
    if (away == radius) break;
    for (const NodeId source : graph.row_now_or_before(reach.index[n])) {
      if (!graph.others_held() || graph.is_changed(source)) reach.add(source, away + 1);
    }
  }
  return reach;
}

// Largest distance upstream of nodes to recompute. With edges in both directions, a node d steps from the targets is at
// least d - far steps from a changed row, where `far` is the farthest changed row: 1 + d - far + d <= T.
int64_t recomputed_radius(const Trace& trace, const ChangedGraph& graph, std::span<const NodeId> targets,
                          const GraphChange& change) {
  if (!change.restated.empty()) return trace.depth();  // h^(0) is read that far
  const int64_t all = trace.depth() - 1;
  if (change.others_held) return all;
  if (change.rows.empty()) return 0;
  if (!trace.symmetric || change.one_way) return all;
  for (int64_t far = 0; far < all; ++far) {
    const Reach near = upstream(graph, targets, far);
    const auto met = [&](const auto& row) { return near.index.find(row.first) >= 0; };
    if (std::all_of(change.rows.begin(), change.rows.end(), met)) return std::min(all, (all + far) / 2);
  }
  return all;
}

// Which of the nodes near the targets differ from the trace early enough to matter: their first differing hop is at
// most T - (steps to a target). A node that does not matter makes no other one matter, so the search stops there.
std::vector<bool> that_matter(const Trace& trace, const GraphChange& change, const Reach& near) {
  std::vector<bool> matter(near.steps.size(), change.others_held);
  std::vector<std::pair<int32_t, int64_t>> queue;  // number in `near`, first hop that differs
  const auto meet = [&](NodeId node, int64_t hop) {
    const int32_t number = near.index.find(node);
    if (number < 0 || matter[static_cast<size_t>(number)]) return;
    if (hop + near.steps[static_cast<size_t>(number)] > trace.depth()) return;
    matter[static_cast<size_t>(number)] = true;
    queue.emplace_back(number, hop);
  };
  for (const auto& [node, _] : change.rows) meet(node, 1);
  for (const auto& [node, _] : change.restated) meet(node, 0);
  for (size_t at = 0; at < queue.size(); ++at) {
    const NodeId node = near.index[queue[at].first];
    if (node >= trace.graph.num_nodes()) continue;  // nodes that attend to a new node have changed rows
    const int64_t next = queue[at].second + 1;
    for (const NodeId reader : trace.readers(node)) meet(reader, next);
  }
  return matter;
}

// The nodes to recompute, by distance from the targets, which come first, and the number needed at each hop.
struct Recomputed {
  std::vector<NodeId> nodes;
  std::vector<int64_t> count;  // per hop 0 .. T: nodes at most T - t steps upstream
};

Recomputed nodes_to_recompute(const Trace& trace, const ChangedGraph& graph, std::span<const NodeId> targets,
                              const GraphChange& change) {
  const int64_t depth = trace.depth();
  const Reach near = upstream(graph, targets, recomputed_radius(trace, graph, targets, change));
  const std::vector<bool> matters = that_matter(trace, change, near);
  Recomputed again;
  again.count.assign(static_cast<size_t>(depth) + 1, 0);
  for (int32_t n = 0; n < near.index.size(); ++n) {
    const int64_t steps = near.steps[static_cast<size_t>(n)];
    if (steps > 0 && !matters[static_cast<size_t>(n)]) continue;
    again.nodes.push_back(near.index[n]);
    for (int64_t t = 0; t <= depth - steps; ++t) ++again.count[static_cast<size_t>(t)];
  }
  return again;
}

// Rounds sizes up so that they repeat: a product is prepared once per shape, which costs more than running a small one.
int64_t padded(int64_t count) {
  int64_t size = 8;
  while (size < count) size += std::max<int64_t>(size / 4, 8) / 8 * 8;
  return size;
}

// Rows of the recomputed nodes. Local node l is again.nodes[l] or, from again.nodes.size() on, outside[l - size]: a
// node read from the trace, ordered by the first row that attends to it.
struct LocalRows {
  std::vector<int64_t> offset{0};
  std::vector<int32_t> neighbour;
  std::vector<int64_t> outside;
  std::vector<int64_t> outside_count;  // per number of rows 0 .. R: nodes of `outside` that these rows read
};

LocalRows local_rows(const ChangedGraph& graph, const std::vector<NodeId>& nodes) {
  LocalRows rows;
  NodeIndex local;
  for (const NodeId node : nodes) local.add(node);
  for (const NodeId node : nodes) {
    rows.outside_count.push_back(static_cast<int64_t>(rows.outside.size()));
    for (const NodeId source : graph.row(node)) {
      const auto [number, added] = local.add(source);
      if (added) rows.outside.push_back(source);
      rows.neighbour.push_back(number);
    }
    rows.offset.push_back(static_cast<int64_t>(rows.neighbour.size()));
  }
  rows.outside_count.push_back(static_cast<int64_t>(rows.outside.size()));
  return rows;
}

// The first `count` rows, over `inside` recomputed nodes followed by the outside ones; padded to `size` rows.
ops::NodeRows first_rows(const LocalRows& rows, int64_t all_inside, int64_t count, int64_t inside, int64_t size) {
  const int64_t edges = rows.offset[static_cast<size_t>(count)];
  at::Tensor offset = at::full({size + 1}, edges, at::kLong), neighbour = at::empty({edges}, at::kInt);
  std::copy_n(rows.offset.begin(), count + 1, offset.data_ptr<int64_t>());
  auto* to = neighbour.data_ptr<int32_t>();
  for (int64_t e = 0; e < edges; ++e) {
    const int32_t local = rows.neighbour[static_cast<size_t>(e)];
    to[e] = static_cast<int32_t>(local < all_inside ? local : local - all_inside + inside);
  }
  return {offset, neighbour};
}

class Follower {
 public:
  Follower(const Trace& trace, std::span<const NodeId> targets, const GraphChange& change)
      : trace_(trace), change_(change), graph_(trace, change), targets_(static_cast<int64_t>(targets.size())),
        again_(nodes_to_recompute(trace, graph_, targets, change)), rows_(local_rows(graph_, again_.nodes)) {}

  Trajectory run() {
    h_0_ = h_ = input_states();
    Trajectory out{h_0_.narrow(0, 0, targets_), {}, {}};
    for (int64_t t = 1; t <= trace_.depth(); ++t) {
      const at::Tensor h_tmp = hop(t);
      out.h_tmp.push_back(h_tmp.narrow(0, 0, targets_));
      out.h.push_back(h_.narrow(0, 0, targets_));
    }
    return out;
  }

 private:
  int64_t count_at(int64_t t) const { return again_.count[static_cast<size_t>(t)]; }

  at::Tensor input_states() const {
    const NodeId known = trace_.graph.num_nodes();
    at::Tensor h_0 = at::empty({static_cast<int64_t>(again_.nodes.size()), trace_.h[0].size(1)});
    const int64_t width = h_0.size(1);
    for (size_t n = 0; n < again_.nodes.size(); ++n) {
      const NodeId node = again_.nodes[n];
      const float* from = node < known ? trace_.h[0].data_ptr<float>() + node * width
                                       : change_.new_h_0.data_ptr<float>() + (node - known) * width;
      std::copy_n(from, width, h_0.data_ptr<float>() + static_cast<int64_t>(n) * width);
    }
    return change_.restated.empty() ? h_0 : restated(h_0);
  }

  at::Tensor restated(const at::Tensor& h_0) const {
    std::vector<int64_t> place, row;
    for (size_t n = 0; n < again_.nodes.size(); ++n) {
      const auto found = change_.restated.find(again_.nodes[n]);
      if (found != change_.restated.end()) place.push_back(static_cast<int64_t>(n)), row.push_back(found->second);
    }
    return h_0.index_copy(0, at::tensor(place, at::kLong),
                          change_.restated_h_0.index_select(0, at::tensor(row, at::kLong)));
  }

  // h^(t-1) of the recomputed nodes that hop t reads, then of the outside ones, then padding zeros.
  at::Tensor states(int64_t t, int64_t inside, int64_t outside, int64_t size) const {
    const int64_t width = h_0_.size(1);
    at::Tensor all = at::empty({size, width});
    all.narrow(0, 0, inside).copy_(h_.narrow(0, 0, inside));
    const float* from = trace_.h[static_cast<size_t>(t - 1)].data_ptr<float>();
    float* to = all.data_ptr<float>() + inside * width;
    for (int64_t n = 0; n < outside; ++n)
      std::copy_n(from + rows_.outside[static_cast<size_t>(n)] * width, width, to + n * width);
    std::fill_n(to + outside * width, (size - inside - outside) * width, 0.0f);
    return all;
  }

  // Advances h_ and memory_ to hop t; returns h^(tmp) of its rows.
  at::Tensor hop(int64_t t) {
    const int64_t count = count_at(t), inside = count_at(t - 1);
    const int64_t outside = rows_.outside_count[static_cast<size_t>(count)];
    const int64_t size = padded(inside + outside), padded_rows = std::min(padded(count), size);
    const at::Tensor all = states(t, inside, outside, size);
    const auto rows = first_rows(rows_, std::ssize(again_.nodes), count, inside, padded_rows);
    at::Tensor h_0 = at::zeros({padded_rows, all.size(1)});
    h_0.narrow(0, 0, count).copy_(h_0_.narrow(0, 0, count));
    const at::Tensor h_tmp = trace_.path_model->breadth(t, rows, all, h_0).h_tmp;
    at::Tensor memory = resized(memory_, padded_rows);
    h_ = trace_.path_model->advance(t, h_tmp, memory);
    memory_ = memory;
    return h_tmp;
  }

  // The first `rows` rows, padded with zeros if there are fewer.
  static at::Tensor resized(const at::Tensor& x, int64_t rows) {
    if (!x.defined()) return x;
    if (x.size(0) >= rows) return x.narrow(0, 0, rows).contiguous();
    return at::cat({x, at::zeros({rows - x.size(0), x.size(1)})});
  }

  const Trace& trace_;
  const GraphChange& change_;
  ChangedGraph graph_;
  int64_t targets_;
  Recomputed again_;
  LocalRows rows_;
  at::Tensor h_0_, h_, memory_;
};

}  // namespace

Trajectory follow(const Trace& trace, std::span<const NodeId> targets, const GraphChange& change) {
  const at::AutoGradMode gradients(change.restated_h_0.defined() && change.restated_h_0.requires_grad());
  return Follower(trace, targets, change).run();
}

}  // namespace geniepath::explain
