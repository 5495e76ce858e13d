#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "explain/gates.h"
#include "explain/paths.h"
#include "explain/trace.h"
#include "explain/what_if.h"
#include "geniepath/error.h"
#include "geniepath/explain.h"
#include "geniepath/tensor_memory.h"

namespace geniepath {

using namespace explain;  // NOLINT(google-build-using-namespace): this file is the layer's interface

class Explainer::Impl {
 public:
  Trace trace;

  at::Tensor probabilities(const Trajectory& path) const {
    return trace.probabilities_of(trace.path_model->finish(path.h_0, path.h));
  }

  void check(NodeId node) const {
    if (node < 0 || node >= trace.graph.num_nodes()) {
      fail("explain: node ", node, ", but the graph has ", trace.graph.num_nodes());
    }
  }

  std::vector<ReceptivePath> strongest_paths(NodeId node, const ExplainOptions& options) const {
    return explain::strongest_paths(trace, node, std::min(options.hops, trace.depth()), options.top, options.threshold);
  }

  // New rows of the nodes along the paths: with `keep` only the edges of the paths and the self-loop, else all but these
  // edges. The last steps suffice, as every beginning of a listed path is listed.
  GraphChange change(const std::vector<ReceptivePath>& paths, bool keep) const {
    GraphChange change;
    change.others_held = true;
    std::map<NodeId, std::vector<NodeId>> listed;
    for (const ReceptivePath& path : paths) listed[*(path.nodes.end() - 2)].push_back(path.nodes.back());
    for (auto& [target, sources] : listed) {
      std::vector<NodeId>& row = change.rows[target];
      if (keep) sources.push_back(target);
      std::sort(sources.begin(), sources.end());
      sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
      const auto all = trace.graph.incoming().neighbours(target);
      if (keep) {
        row = sources;
      } else {
        std::set_difference(all.begin(), all.end(), sources.begin(), sources.end(), std::back_inserter(row));
      }
    }
    return change;
  }

  // Of the node with only the edges of the paths (`keep`), or with all but these.
  at::Tensor predicted(NodeId node, const std::vector<ReceptivePath>& paths, bool keep) const {
    const NodeId target[] = {node};
    return probabilities(follow(trace, target, change(paths, keep)))[0];
  }
};

namespace {

// From this many nodes on, free memory is returned to the system, so that other threads' queries can use it.
constexpr int64_t kManyNodes = 1 << 19;

// The rows of the unseen nodes and of all nodes joined to them.
GraphChange joined(const Trace& trace, const UnseenNodes& unseen) {
  const NodeId known = trace.graph.num_nodes();
  const auto count = static_cast<NodeId>(unseen.features.num_nodes());
  GraphChange change;
  change.one_way = unseen.directed;
  for (NodeId node = known; node < known + count; ++node) change.rows[node] = {node};
  const auto row_of = [&](NodeId node) -> std::vector<NodeId>& {
    const auto [at, added] = change.rows.try_emplace(node);
    if (added) {
      const auto row = trace.graph.incoming().neighbours(node);
      at->second.assign(row.begin(), row.end());
    }
    return at->second;
  };
  for (const auto& [a, b] : unseen.edges) {
    if (std::min(a, b) < 0 || std::max(a, b) >= known + count) {
      fail("score: edge ", a, " - ", b, ", but the graph and the unseen nodes together have ", known + count);
    }
    row_of(b).push_back(a);
    if (!unseen.directed) row_of(a).push_back(b);
  }
  for (auto& [_, row] : change.rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return change;
}

}  // namespace

void ExplainOptions::visit(OptionVisitor& options) {
  options.integer("hops", hops, {1, 1000}, "length of the longest paths, at most the model's depth");
  options.integer("top", top, {1, 100000}, "number of paths to list");
  options.real("threshold", threshold, {0, 1}, "paths with a smaller product of alpha are pruned");
}

bool has_paths(const Model& model) { return dynamic_cast<const PathModel*>(&model) != nullptr; }

Level level_of(double weight) { return weight < 0.1 ? Level::kGreen : weight < 0.2 ? Level::kBlue : Level::kRed; }

Explainer::Explainer(std::shared_ptr<const Model> model, const Dataset& data, std::vector<int64_t> degree)
    : impl_(new Impl{make_trace(std::move(model), data, std::move(degree))}) {}

Explainer::~Explainer() = default;

int64_t Explainer::num_nodes() const { return impl_->trace.graph.num_nodes(); }
int64_t Explainer::depth() const { return impl_->trace.depth(); }
int64_t Explainer::degree(NodeId node) const { return impl_->trace.degree[static_cast<size_t>(node)] - 1; }
bool Explainer::directed() const { return !impl_->trace.symmetric; }
const at::Tensor& Explainer::probabilities() const { return impl_->trace.probabilities; }

Explanation Explainer::explain(NodeId node, const ExplainOptions& options) const {
  impl_->check(node);
  options.check();
  const at::NoGradGuard no_grad;
  Explanation out;
  out.node = node;
  out.depth = depth();
  out.hops = std::min(options.hops, out.depth);
  out.top = options.top;
  out.threshold = options.threshold;
  out.paths = impl_->strongest_paths(node, options);
  describe_neighbourhood(impl_->trace, out);
  out.gates = gates({&node, 1}).front();
  out.entropy = entropy(node);
  out.faithfulness = {impl_->trace.probabilities[node], impl_->predicted(node, out.paths, true),
                      impl_->predicted(node, out.paths, false)};
  if (out.omitted.nodes > kManyNodes) give_back_free_memory();
  return out;
}

at::Tensor Explainer::without_paths(NodeId node, const ExplainOptions& options) const {
  impl_->check(node);
  options.check();
  const at::NoGradGuard no_grad;
  return impl_->predicted(node, impl_->strongest_paths(node, options), false);
}

std::vector<PathEdge> Explainer::edges(NodeId node, int64_t hops) const {
  impl_->check(node);
  const Trace& trace = impl_->trace;
  hops = std::min(hops, depth());
  const Ball ball = ball_around(trace, node, hops);
  std::vector<PathEdge> edges;
  const Adjacency& in = trace.graph.incoming();
  for (int32_t n = 0; n < ball.rows(hops - 1); ++n) {
    const NodeId target = ball.index[n];
    for (EdgeId e = in.offset[target]; e < in.offset[target + 1]; ++e) {
      const NodeId source = in.neighbour[e];
      if (source != target) edges.push_back({source, target, alpha_of_edge(trace, e), laplacian(trace, source, target), 0, 0});
    }
  }
  return edges;
}

std::vector<AttentionEntropy> Explainer::entropy(NodeId node) const {
  impl_->check(node);
  const Adjacency& in = impl_->trace.graph.incoming();
  std::vector<AttentionEntropy> out;
  for (int64_t layer = 1; layer <= depth(); ++layer) {
    const float* alpha = impl_->trace.alpha_of(layer);
    double entropy = 0;
    for (EdgeId e = in.offset[node]; e < in.offset[node + 1]; ++e) {
      if (alpha[e] > 0) entropy -= alpha[e] * std::log(static_cast<double>(alpha[e]));
    }
    out.push_back({layer, std::max(0.0, entropy), std::log(static_cast<double>(in.degree(node)))});
  }
  return out;
}

std::vector<std::vector<GateProfile>> Explainer::gates(std::span<const NodeId> nodes) const {
  for (const NodeId node : nodes) impl_->check(node);
  const at::NoGradGuard no_grad;
  const Trajectory path = follow(impl_->trace, nodes);
  return gate_profiles(impl_->trace.path_model->depth(path.h_0, path.h_tmp));
}

at::Tensor Explainer::score(const UnseenNodes& unseen) const {
  const at::NoGradGuard no_grad;
  const Trace& trace = impl_->trace;
  GraphChange change = joined(trace, unseen);
  change.new_h_0 = explain::begin(*trace.path_model, unseen.features).contiguous();
  std::vector<NodeId> targets;
  for (int64_t m = 0; m < unseen.features.num_nodes(); ++m) {
    targets.push_back(static_cast<NodeId>(trace.graph.num_nodes() + m));
  }
  return impl_->probabilities(follow(trace, targets, change));
}

}  // namespace geniepath
