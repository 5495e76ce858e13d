#include "explain/path_sums.h"

#include <algorithm>

namespace geniepath::explain {
namespace {

// Calls visit(target, source, alpha) for every edge along which a path of s steps may continue.
template <class Visit>
void for_edges(const Trace& trace, const Ball& ball, int64_t s, Visit visit) {
  const Adjacency& in = trace.graph.incoming();
  const float* alpha = trace.alpha_of(trace.depth() - s);
  const int32_t* source = ball.source.data();
  for (int32_t n = 0; n < ball.rows(s); ++n) {
    const NodeId node = ball.index[n];
    for (EdgeId e = in.offset[node]; e < in.offset[node + 1]; ++e, ++source) {
      if (*source != n) visit(static_cast<size_t>(n), static_cast<size_t>(*source), static_cast<double>(alpha[e]));
    }
  }
}

// Values of the given nodes; 0 for nodes beyond the end of the table.
template <class Table, class Value>
std::vector<double> pick(const Table& table, std::span<const int32_t> nodes, Value value) {
  std::vector<double> picked;
  for (const int32_t n : nodes) {
    picked.push_back(static_cast<size_t>(n) < table.size() ? value(table[static_cast<size_t>(n)]) : 0.0);
  }
  return picked;
}

// Sums over the paths of 0 or more steps that begin at a node.
struct Onward {
  double product, count;
};

}  // namespace

int64_t Ball::hop(int32_t number) const {
  return std::upper_bound(first_at.begin(), first_at.end(), number) - first_at.begin() - 1;
}

Ball ball_around(const Trace& trace, NodeId node, int64_t hops) {
  const Adjacency& in = trace.graph.incoming();
  Ball ball{NodeIndex(trace.graph.num_nodes()), {0}, {}};
  ball.index.add(node);
  size_t edges = 0;
  for (int64_t hop = 1; hop <= hops; ++hop) {
    const int32_t first = ball.first_at.back(), last = ball.index.size();
    ball.first_at.push_back(last);
    for (int32_t n = first; n < last; ++n) {
      for (const NodeId source : in.neighbours(ball.index[n])) ball.index.add(source);
      edges += static_cast<size_t>(in.degree(ball.index[n]));
    }
    ball.index.sort_from(last);
  }
  ball.first_at.push_back(ball.index.size());
  ball.source.reserve(edges);
  for (int32_t n = 0; n < ball.rows(hops - 1); ++n) {
    for (const NodeId source : in.neighbours(ball.index[n])) ball.source.push_back(ball.index.find(source));
  }
  return ball;
}

PathSums::PathSums(const Trace& trace, const Ball& ball, int64_t hops, std::span<const int32_t> nodes) {
  const auto itself = [](double value) { return value; };
  std::vector<double> sum{1.0};
  ending.push_back(pick(sum, nodes, itself));
  for (int64_t s = 0; s < hops; ++s) {
    std::vector<double> next(static_cast<size_t>(ball.rows(s + 1)), 0.0);
    for_edges(trace, ball, s, [&](size_t target, size_t source, double alpha) { next[source] += sum[target] * alpha; });
    sum = std::move(next);
    ending.push_back(pick(sum, nodes, itself));
  }
  sum = {};

  onward.resize(static_cast<size_t>(hops) + 1);
  std::vector<Onward> after(static_cast<size_t>(ball.rows(hops)), {1, 1});
  onward.back() = std::vector<double>(nodes.size(), 1.0);
  for (int64_t s = hops - 1; s >= 0; --s) {
    std::vector<Onward> now(static_cast<size_t>(ball.rows(s)), {1, 1});
    for_edges(trace, ball, s, [&](size_t target, size_t source, double alpha) {
      now[target].product += alpha * after[source].product;
      now[target].count += after[source].count;
    });
    after = std::move(now);
    onward[static_cast<size_t>(s)] = pick(after, nodes, [](const Onward& of) { return of.product; });
  }
  product = after.front().product - 1;
  count = after.front().count - 1;
}

int64_t count_reached(const Trace& trace, const Ball& ball, int64_t hops, double threshold) {
  if (threshold == 0) return ball.index.size();
  const Adjacency& in = trace.graph.incoming();
  const NodeId bound = trace.graph.num_nodes();
  NodeIndex reached(bound), level(bound);
  reached.add(ball.index[0]);
  level.add(ball.index[0]);
  std::vector<double> best{1.0};  // largest product of a path of s steps to each node of the level
  for (int64_t s = 0; s < hops; ++s) {
    const float* alpha = trace.alpha_of(trace.depth() - s);
    NodeIndex next(bound);
    std::vector<double> next_best;
    for (int32_t n = 0; n < level.size(); ++n) {
      for (EdgeId e = in.offset[level[n]]; e < in.offset[level[n] + 1]; ++e) {
        const double product = best[static_cast<size_t>(n)] * alpha[e];
        if (in.neighbour[e] == level[n] || product < threshold) continue;
        const auto [number, added] = next.add(in.neighbour[e]);
        if (added) next_best.push_back(0);
        next_best[static_cast<size_t>(number)] = std::max(next_best[static_cast<size_t>(number)], product);
        reached.add(in.neighbour[e]);
      }
    }
    level = std::move(next);
    best = std::move(next_best);
  }
  return reached.size();
}

}  // namespace geniepath::explain
