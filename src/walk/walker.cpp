#include "walk/walker.h"

#include <algorithm>
#include <vector>

#include "geniepath/error.h"

namespace geniepath::walk {
namespace {

constexpr uint64_t kWalkStream = 31;
constexpr int kMostDraws = 64;  // consecutive rejections, after which the weights are summed exactly

}  // namespace

Walker::Walker(const Graph& graph, const Options& options)
    : out_(graph.outgoing()),
      back_(1 / options.p),
      away_(1 / options.q),
      largest_(std::max(1.0, away_)),
      smallest_(std::min(1.0, away_)),
      seed_(options.seed) {
  if (!(options.p > 0) || !(options.q > 0))
    fail("walks: p = ", options.p, " and q = ", options.q, ", expected above 0");
}

bool Walker::is_edge(NodeId from, NodeId to) const {
  const auto row = out_.neighbours(from);
  return std::binary_search(row.begin(), row.end(), to);
}

double Walker::weight(NodeId previous, NodeId next) const {
  if (next == previous) return back_;
  return is_edge(previous, next) ? 1.0 : away_;
}

// Rejection sampling: a neighbour drawn uniformly is accepted with probability weight / largest weight among nodes
// other than the previous one. The previous node's excess over that is drawn separately, so that a small p does not
// cause rejections. Whether a node is a neighbour of the previous one is looked up only where it matters.
NodeId Walker::next_node(NodeId previous, NodeId at, Random& random) const {
  const auto row = out_.neighbours(at);
  const double beyond = back_ > largest_ && is_edge(at, previous) ? back_ - largest_ : 0;
  const double all = static_cast<double>(row.size()) * largest_ + beyond;
  for (int draw = 0; draw < kMostDraws; ++draw) {
    if (beyond > 0 && random.uniform() * all < beyond) return previous;
    const NodeId next = row[random.below(row.size())];
    const double bar = random.uniform() * largest_;
    if (next != previous && bar < smallest_) return next;
    if (bar < weight(previous, next)) return next;
  }
  return next_node_by_weights(previous, at, random);
}

NodeId Walker::next_node_by_weights(NodeId previous, NodeId at, Random& random) const {
  const auto row = out_.neighbours(at);
  std::vector<double> sum(row.size());
  double all = 0;
  for (size_t n = 0; n < row.size(); ++n) sum[n] = all += weight(previous, row[n]);
  const auto found = std::upper_bound(sum.begin(), sum.end(), random.uniform() * all);
  return row[std::min(static_cast<size_t>(found - sum.begin()), row.size() - 1)];
}

int64_t Walker::walk(NodeId start, uint64_t number, std::span<NodeId> out) const {
  Random random{seed_, kWalkStream, static_cast<uint64_t>(start), number};
  const bool plain = back_ == 1 && away_ == 1;
  size_t length = 0;
  for (NodeId at = start; length < out.size();) {
    out[length++] = at;
    const auto row = out_.neighbours(at);
    if (row.empty()) break;
    if (plain || length == 1 || row.size() == 1) {
      at = row[random.below(row.size())];
    } else {
      at = next_node(out[length - 2], at, random);
    }
  }
  return static_cast<int64_t>(length);
}

}  // namespace geniepath::walk
