#include "explain/paths.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <set>

namespace geniepath::explain {
namespace {

// The strongest neighbours a node attends to in a layer, itself left out: as many as may be asked for.
struct Neighbour {
  float alpha;
  NodeId node;
  EdgeId edge;
  bool operator<(const Neighbour& other) const { return alpha != other.alpha ? alpha > other.alpha : node < other.node; }
};

class RankedNeighbours {
 public:
  RankedNeighbours(const Trace& trace, int64_t most) : trace_(trace), most_(static_cast<size_t>(most)) {}

  const std::vector<Neighbour>& of(NodeId node, int64_t layer) {
    const auto [at, added] = ranked_.try_emplace({node, layer});
    if (added) at->second = rank(node, layer);
    return at->second;
  }

 private:
  std::vector<Neighbour> rank(NodeId node, int64_t layer) const {
    const Adjacency& in = trace_.graph.incoming();
    const float* alpha = trace_.alpha_of(layer);
    std::vector<Neighbour> all;
    for (EdgeId e = in.offset[node]; e < in.offset[node + 1]; ++e) {
      if (in.neighbour[e] != node) all.push_back({alpha[e], in.neighbour[e], e});
    }
    const size_t kept = std::min(most_, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
    all.resize(kept);
    return all;
  }

  const Trace& trace_;
  size_t most_;
  std::map<std::pair<NodeId, int64_t>, std::vector<Neighbour>> ranked_;
};

// A path as its last step on top of the path before it; `rank` is the step's place among the neighbours there.
struct Candidate {
  double product;
  int32_t before;  // index into the listed paths; -1: the explained node
  int32_t rank;
  std::vector<NodeId> nodes;
  // The greatest comes out of the queue first: the largest product, then the shortest, then the smallest ids.
  bool operator<(const Candidate& other) const {
    if (product != other.product) return product < other.product;
    return nodes.size() != other.nodes.size() ? nodes.size() > other.nodes.size() : nodes > other.nodes;
  }
};

EdgeId edge_between(const Trace& trace, NodeId source, NodeId target) {
  const auto row = trace.graph.incoming().neighbours(target);
  return trace.graph.incoming().offset[target] + (std::lower_bound(row.begin(), row.end(), source) - row.begin());
}

// What is summed over all paths, by number of steps s and node n of the ball. A path of s steps goes on in layer T - s.
struct PathSums {
  using Table = std::vector<std::vector<double>>;

  PathSums(const Trace& t, NodeId node, int64_t hops) : trace(t), ball(ball_around(t, node, hops)) {
    for (int64_t s = 0; s <= hops; ++s) {
      const auto size = static_cast<size_t>(ball.rows(s));
      for (Table* table : {&sum, &best, &count, &onward}) table->emplace_back(size, 0.0);
    }
    sum[0][0] = best[0][0] = count[0][0] = 1;
    for (int64_t s = 0; s < hops; ++s) extend(s);
    for (int64_t s = hops; s >= 0; --s) look_onward(s, hops);
  }

  // 0 where no path of s steps gets to the node.
  static double get(const Table& table, int64_t s, int32_t n) {
    const std::vector<double>& row = table[static_cast<size_t>(s)];
    return static_cast<size_t>(n) < row.size() ? row[static_cast<size_t>(n)] : 0.0;
  }

  template <class Visit>
  void for_edges(int64_t s, Visit visit) const {
    const Adjacency& in = trace.graph.incoming();
    const float* alpha = trace.alpha_of(trace.depth() - s);
    size_t at = 0;
    for (int32_t n = 0; n < ball.rows(s); ++n) {
      const NodeId node = ball.index[n];
      for (EdgeId e = in.offset[node]; e < in.offset[node + 1]; ++e, ++at) {
        const int32_t source = ball.source[at];
        if (source != n) visit(static_cast<size_t>(n), static_cast<size_t>(source), alpha[e]);
      }
    }
  }

  void extend(int64_t s) {
    const auto at = static_cast<size_t>(s);
    for_edges(s, [&](size_t target, size_t source, double alpha) {
      sum[at + 1][source] += sum[at][target] * alpha;
      best[at + 1][source] = std::max(best[at + 1][source], best[at][target] * alpha);
      count[at + 1][source] += count[at][target];
    });
  }

  void look_onward(int64_t s, int64_t hops) {
    const auto at = static_cast<size_t>(s);
    std::fill(onward[at].begin(), onward[at].end(), 1.0);
    if (s == hops) return;
    for_edges(s, [&](size_t target, size_t source, double alpha) {
      onward[at][target] += alpha * onward[at + 1][source];
    });
  }

  const Trace& trace;
  Ball ball;
  Table sum, best, count;  // of the products of the paths of s steps that end at n: sum, largest, number
  Table onward;            // sum of the products of the paths of 0 to hops - s steps that begin at n in layer T - s
};

PathEdge describe_edge(const Trace& trace, const PathSums& sums, NodeId source, NodeId target, int64_t hops) {
  const EdgeId edge = edge_between(trace, source, target);
  PathEdge out{source, target, alpha_of_edge(trace, edge), laplacian(trace, source, target), 0, 0};
  const int32_t from = sums.ball.index.find(source), to = sums.ball.index.find(target);
  for (int64_t s = 0; s < hops; ++s) {
    const double alpha = out.alpha[static_cast<size_t>(trace.depth() - s - 1)];
    out.best = std::max(out.best, PathSums::get(sums.best, s, to) * alpha);
    out.total += PathSums::get(sums.sum, s, to) * alpha * PathSums::get(sums.onward, s + 1, from);
  }
  return out;
}

PathNode describe_node(const Trace& trace, const PathSums& sums, int32_t n, int64_t hops) {
  const NodeId node = sums.ball.index[n];
  PathNode out{node, sums.ball.hop[static_cast<size_t>(n)], n == 0 ? 1.0 : 0.0,
               alpha_of_edge(trace, edge_between(trace, node, node))};
  for (int64_t s = 1; s <= hops && n > 0; ++s) out.importance += PathSums::get(sums.sum, s, n);
  return out;
}

int64_t count_edges(const Trace& trace, const Ball& ball, int64_t hops) {
  int64_t edges = 0;
  for (int32_t n = 0; n < ball.rows(hops - 1); ++n) edges += trace.graph.incoming().degree(ball.index[n]) - 1;
  return edges;
}

int64_t count_reached(const PathSums& sums, int64_t hops, double threshold) {
  int64_t reached = 1;
  for (int32_t n = 1; n < sums.ball.index.size(); ++n) {
    bool within = false;
    for (int64_t s = 1; s <= hops; ++s) {
      within = within || (PathSums::get(sums.count, s, n) > 0 && PathSums::get(sums.best, s, n) >= threshold);
    }
    reached += within;
  }
  return reached;
}

double total(const PathSums::Table& table) {
  double sum = 0;
  for (size_t s = 1; s < table.size(); ++s) {
    for (const double value : table[s]) sum += value;
  }
  return sum;
}

}  // namespace

Ball ball_around(const Trace& trace, NodeId node, int64_t hops) {
  Ball ball;
  ball.index.add(node);
  ball.hop.push_back(0);
  ball.first_at = {0};
  for (int64_t hop = 1; hop <= hops; ++hop) {
    const int32_t first = ball.first_at.back(), last = ball.index.size();
    ball.first_at.push_back(last);
    for (int32_t n = first; n < last; ++n) {
      for (const NodeId source : trace.graph.incoming().neighbours(ball.index[n])) {
        const auto [number, added] = ball.index.add(source);
        if (added) ball.hop.push_back(hop);
        ball.source.push_back(number);
      }
    }
  }
  ball.first_at.push_back(ball.index.size());
  return ball;
}

double laplacian(const Trace& trace, NodeId source, NodeId target) {
  const auto degree = [&](NodeId node) { return static_cast<double>(trace.degree[static_cast<size_t>(node)]); };
  return 1 / std::sqrt(degree(source) * degree(target));
}

std::vector<float> alpha_of_edge(const Trace& trace, EdgeId edge) {
  std::vector<float> alpha;
  for (int64_t layer = 1; layer <= trace.depth(); ++layer) alpha.push_back(trace.alpha_of(layer)[edge]);
  return alpha;
}

std::vector<ReceptivePath> strongest_paths(const Trace& trace, NodeId node, int64_t hops, int64_t top,
                                           double threshold) {
  RankedNeighbours ranked(trace, top);
  std::vector<ReceptivePath> paths;
  std::priority_queue<Candidate> queue;
  const auto consider = [&](int32_t before, int32_t rank) {
    const ReceptivePath start{{node}, {}, 1, 1};
    const ReceptivePath& prefix = before < 0 ? start : paths[static_cast<size_t>(before)];
    const auto steps = std::ssize(prefix.alpha);
    if (steps == hops) return;
    const auto& neighbours = ranked.of(prefix.nodes.back(), trace.depth() - steps);
    if (static_cast<size_t>(rank) >= neighbours.size()) return;
    const Neighbour& next = neighbours[static_cast<size_t>(rank)];
    const double product = prefix.product * next.alpha;
    if (product < threshold) return;
    std::vector<NodeId> nodes = prefix.nodes;
    nodes.push_back(next.node);
    queue.push({product, before, rank, std::move(nodes)});
  };
  consider(-1, 0);
  while (!queue.empty() && std::ssize(paths) < top) {
    const Candidate best = queue.top();
    queue.pop();
    ReceptivePath path = best.before < 0 ? ReceptivePath{{node}, {}, 1, 1} : paths[static_cast<size_t>(best.before)];
    const NodeId from = path.nodes.back(), to = best.nodes.back();
    const auto layer = trace.depth() - std::ssize(path.alpha);
    path.alpha.push_back(trace.alpha_of(layer)[edge_between(trace, to, from)]);
    path.nodes = best.nodes;
    path.product = best.product;
    path.laplacian *= laplacian(trace, to, from);
    paths.push_back(std::move(path));
    consider(best.before, best.rank + 1);
    consider(static_cast<int32_t>(paths.size()) - 1, 0);
  }
  return paths;
}

void describe_neighbourhood(const Trace& trace, Explanation& explanation) {
  const int64_t hops = explanation.hops;
  const PathSums sums(trace, explanation.node, hops);
  std::set<int32_t> nodes{0};
  std::set<std::pair<NodeId, NodeId>> edges;  // target, source
  double listed = 0;
  for (const ReceptivePath& path : explanation.paths) {
    listed += path.product;
    for (size_t s = 1; s < path.nodes.size(); ++s) {
      edges.emplace(path.nodes[s - 1], path.nodes[s]);
      nodes.insert(sums.ball.index.find(path.nodes[s]));
    }
  }
  for (const int32_t n : nodes) explanation.nodes.push_back(describe_node(trace, sums, n, hops));
  std::sort(explanation.nodes.begin() + 1, explanation.nodes.end(), [](const PathNode& a, const PathNode& b) {
    return a.hop != b.hop ? a.hop < b.hop : a.importance != b.importance ? a.importance > b.importance : a.node < b.node;
  });
  for (const auto& [target, source] : edges) {
    explanation.edges.push_back(describe_edge(trace, sums, source, target, hops));
  }
  std::stable_sort(explanation.edges.begin(), explanation.edges.end(),
                   [](const PathEdge& a, const PathEdge& b) { return a.best > b.best; });
  explanation.reached = count_reached(sums, hops, explanation.threshold);
  explanation.omitted = {sums.ball.index.size() - std::ssize(explanation.nodes),
                         count_edges(trace, sums.ball, hops) - std::ssize(explanation.edges),
                         total(sums.count) - static_cast<double>(explanation.paths.size()),
                         std::max(0.0, total(sums.sum) - listed)};
}

}  // namespace geniepath::explain
