#include "explain/paths.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace geniepath::explain {
namespace {

// A neighbour other than the node itself, ordered by descending alpha, then ascending id.
struct Neighbour {
  float alpha;
  NodeId node;
  EdgeId edge;
  bool operator<(const Neighbour& other) const {
    return alpha != other.alpha ? alpha > other.alpha : node < other.node;
  }
};

// The strongest `most` neighbours of each node and layer, computed on first use.
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

// A path as a listed path plus one step; `rank` is the step's position among the ranked neighbours.
struct Candidate {
  double product;
  int32_t before;  // index into the listed paths; -1: the explained node
  int32_t rank;
  std::vector<NodeId> nodes;
  // The queue returns the greatest first: the largest product, then the shortest path, then the smallest ids.
  bool operator<(const Candidate& other) const {
    if (product != other.product) return product < other.product;
    return nodes.size() != other.nodes.size() ? nodes.size() > other.nodes.size() : nodes > other.nodes;
  }
};

EdgeId edge_between(const Trace& trace, NodeId source, NodeId target) {
  const auto row = trace.graph.incoming().neighbours(target);
  return trace.graph.incoming().offset[target] + (std::lower_bound(row.begin(), row.end(), source) - row.begin());
}

// The nodes, by number in the ball, and the edges of the listed paths, each once, with the best product over each edge.
// The last steps suffice: every prefix of a listed path is listed before it, and so is the best path over an edge.
struct Listed {
  Listed(const std::vector<ReceptivePath>& paths, const Ball& ball) {
    std::set<int32_t> met{0};
    for (const ReceptivePath& path : paths) {
      product += path.product;
      met.insert(ball.index.find(path.nodes.back()));
      double& best = edges[{*(path.nodes.end() - 2), path.nodes.back()}];
      best = std::max(best, path.product);
    }
    nodes.assign(met.begin(), met.end());
  }

  size_t place(int32_t number) const {
    return static_cast<size_t>(std::lower_bound(nodes.begin(), nodes.end(), number) - nodes.begin());
  }

  std::vector<int32_t> nodes;                           // ascending
  std::map<std::pair<NodeId, NodeId>, double> edges;    // target, source
  double product = 0;
};

PathEdge describe_edge(const Trace& trace, const PathSums& sums, NodeId source, NodeId target, size_t from, size_t to) {
  PathEdge out{source, target, alpha_of_edge(trace, edge_between(trace, source, target)),
               laplacian(trace, source, target), 0, 0};
  for (size_t s = 0; s + 1 < sums.ending.size(); ++s) {
    out.total += sums.ending[s][to] * out.alpha[out.alpha.size() - s - 1] * sums.onward[s + 1][from];
  }
  return out;
}

PathNode describe_node(const Trace& trace, const PathSums& sums, const Ball& ball, int32_t n, size_t place) {
  const NodeId node = ball.index[n];
  PathNode out{node, ball.hop(n), n == 0 ? 1.0 : 0.0, alpha_of_edge(trace, edge_between(trace, node, node))};
  for (size_t s = 1; s < sums.ending.size() && n > 0; ++s) out.importance += sums.ending[s][place];
  return out;
}

int64_t count_edges(const Trace& trace, const Ball& ball, int64_t hops) {
  int64_t edges = 0;
  for (int32_t n = 0; n < ball.rows(hops - 1); ++n) edges += trace.graph.incoming().degree(ball.index[n]) - 1;
  return edges;
}

}  // namespace

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
  const Ball ball = ball_around(trace, explanation.node, hops);
  const Listed listed(explanation.paths, ball);
  const PathSums sums(trace, ball, hops, listed.nodes);
  for (size_t place = 0; place < listed.nodes.size(); ++place) {
    explanation.nodes.push_back(describe_node(trace, sums, ball, listed.nodes[place], place));
  }
  std::sort(explanation.nodes.begin() + 1, explanation.nodes.end(), [](const PathNode& a, const PathNode& b) {
    return a.hop != b.hop                 ? a.hop < b.hop
           : a.importance != b.importance ? a.importance > b.importance
                                          : a.node < b.node;
  });
  for (const auto& [edge, best] : listed.edges) {
    const auto [target, source] = edge;
    explanation.edges.push_back(describe_edge(trace, sums, source, target, listed.place(ball.index.find(source)),
                                              listed.place(ball.index.find(target))));
    explanation.edges.back().best = best;
  }
  std::stable_sort(explanation.edges.begin(), explanation.edges.end(),
                   [](const PathEdge& a, const PathEdge& b) { return a.best > b.best; });
  explanation.reached = count_reached(trace, ball, hops, explanation.threshold);
  explanation.omitted = {ball.index.size() - std::ssize(explanation.nodes),
                         count_edges(trace, ball, hops) - std::ssize(explanation.edges),
                         sums.count - static_cast<double>(explanation.paths.size()),
                         std::max(0.0, sums.product - listed.product)};
}

}  // namespace geniepath::explain
