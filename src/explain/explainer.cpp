#include <ATen/ATen.h>

#include <algorithm>

#include "explain/attribution.h"
#include "explain/even_attention.h"
#include "explain/gates.h"
#include "explain/paths.h"
#include "explain/trace.h"
#include "explain/unseen.h"
#include "explain/what_if.h"
#include "geniepath/error.h"
#include "geniepath/explain.h"
#include "geniepath/tensor_memory.h"

namespace geniepath {

using namespace explain;  // NOLINT(google-build-using-namespace): this file is the layer's interface

class Explainer::Impl {
 public:
  using Rows = std::map<NodeId, std::vector<NodeId>>;

  Trace trace;

  at::Tensor probabilities(const Trajectory& path) const {
    return trace.probabilities_of(trace.path_model->finish(path.h_0, path.h));
  }

  void check(NodeId node) const {
    if (node < 0 || node >= trace.graph.num_nodes()) {
      fail("explain: node ", node, ", but the graph has ", trace.graph.num_nodes());
    }
  }

  at::Tensor predicted(NodeId node, const GraphChange& change) const {
    return probabilities(follow(trace, {&node, 1}, change))[0];
  }

  // All nodes but those of the rows keep their states.
  at::Tensor predicted_held(NodeId node, Rows rows) const {
    return predicted(node, {.rows = std::move(rows), .others_held = true, .new_h_0 = {}});
  }

  std::vector<ReceptivePath> paths(NodeId node, const ExplainOptions& options) const {
    return strongest_paths(trace, node, std::min(options.hops, trace.depth()), options.top, options.threshold);
  }

  // The edges of listed paths. Their last steps suffice, as every beginning of a listed path is listed.
  static std::vector<GraphEdge> edges_of(const std::vector<ReceptivePath>& paths) {
    std::vector<GraphEdge> edges;
    for (const ReceptivePath& path : paths) edges.emplace_back(path.nodes.back(), *(path.nodes.end() - 2));
    return edges;
  }

  // The targets' rows with only these edges and the self-loop.
  static Rows kept(std::span<const GraphEdge> edges) {
    Rows rows = by_target(edges);
    for (auto& [target, row] : rows) row.insert(std::lower_bound(row.begin(), row.end(), target), target);
    return rows;
  }

  // The targets' rows without these edges.
  Rows dropped(std::span<const GraphEdge> edges) const {
    Rows rows = by_target(edges);
    for (auto& [target, row] : rows) {
      const auto all = trace.graph.incoming().neighbours(target);
      std::vector<NodeId> others;
      std::set_difference(all.begin(), all.end(), row.begin(), row.end(), std::back_inserter(others));
      row = std::move(others);
    }
    return rows;
  }

  void check(std::span<const GraphEdge> edges) const {
    for (const auto& [source, target] : edges) {
      check(source), check(target);
      const auto row = trace.graph.incoming().neighbours(target);
      if (source == target || !std::binary_search(row.begin(), row.end(), source)) {
        fail("explain: edge ", source, " -> ", target, ": expected an edge of the graph between two nodes, found none");
      }
    }
  }

  Faithfulness faithfulness(NodeId node, const std::vector<ReceptivePath>& paths) const {
    const std::vector<GraphEdge> edges = edges_of(paths);
    return {trace.probabilities[node], predicted_held(node, kept(edges)), predicted_held(node, dropped(edges))};
  }

 private:
  // Sources by target, ascending, each once.
  static Rows by_target(std::span<const GraphEdge> edges) {
    Rows rows;
    for (const auto& [source, target] : edges) rows[target].push_back(source);
    for (auto& [_, row] : rows) {
      std::sort(row.begin(), row.end());
      row.erase(std::unique(row.begin(), row.end()), row.end());
    }
    return rows;
  }
};

namespace {

// From this many nodes on, free memory is returned to the system, so that other threads' queries can use it.
constexpr int64_t kManyNodes = 1 << 19;

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
at::Tensor Explainer::evenly_attended() const { return explain::evenly_attended(impl_->trace); }

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
  out.paths = impl_->paths(node, options);
  describe_neighbourhood(impl_->trace, out);
  out.gates = gates({&node, 1}).front();
  out.entropy = entropy(node);
  out.faithfulness = impl_->faithfulness(node, out.paths);
  if (out.omitted.nodes > kManyNodes) give_back_free_memory();
  return out;
}

at::Tensor Explainer::without_paths(NodeId node, const ExplainOptions& options) const {
  impl_->check(node);
  options.check();
  const at::NoGradGuard no_grad;
  return impl_->predicted_held(node, impl_->dropped(Impl::edges_of(impl_->paths(node, options))));
}

at::Tensor Explainer::without_neighbours(NodeId node, std::span<const NodeId> neighbours) const {
  std::vector<GraphEdge> edges;
  for (const NodeId neighbour : neighbours) edges.emplace_back(neighbour, node);
  impl_->check(node), impl_->check(edges);
  const at::NoGradGuard no_grad;
  return impl_->predicted_held(node, impl_->dropped(edges));
}

FeatureAttribution Explainer::attribute(const Explanation& explanation, const at::Tensor& features,
                                        const at::Tensor& baseline, int64_t output) const {
  std::vector<NodeId> nodes;
  for (const PathNode& node : explanation.nodes) nodes.push_back(node.node);
  for (const NodeId node : nodes) impl_->check(node);
  return explain::attribute(impl_->trace, nodes, features, baseline, output);
}

std::vector<PathEdge> Explainer::edges(NodeId node, int64_t hops) const {
  impl_->check(node);
  const Trace& trace = impl_->trace;
  hops = std::min(hops, depth());
  const Ball ball = ball_around(trace, node, hops);
  std::vector<PathEdge> edges;
  for (int32_t n = 0; n < ball.rows(hops - 1); ++n) append_row(trace, ball.index[n], edges);
  return edges;
}

std::vector<AttentionEntropy> Explainer::entropy(NodeId node) const {
  impl_->check(node);
  return entropy_of(impl_->trace, node);
}

std::vector<std::vector<GateProfile>> Explainer::gates(std::span<const NodeId> nodes) const {
  for (const NodeId node : nodes) impl_->check(node);
  const at::NoGradGuard no_grad;
  const Trajectory path = follow(impl_->trace, nodes);
  return gate_profiles(impl_->trace.path_model->depth(path.h_0, path.h_tmp));
}

at::Tensor Explainer::without(NodeId node, std::span<const GraphEdge> edges) const {
  impl_->check(node), impl_->check(edges);
  const at::NoGradGuard no_grad;
  return impl_->predicted(node, {.rows = impl_->dropped(edges), .new_h_0 = {}});
}

// Only the ends of these edges reach the node, so no other node is recomputed.
at::Tensor Explainer::with_only(NodeId node, std::span<const GraphEdge> edges) const {
  impl_->check(node), impl_->check(edges);
  const at::NoGradGuard no_grad;
  Impl::Rows rows = impl_->kept(edges);
  rows.try_emplace(node, 1, node);
  for (const auto& [source, _] : edges) rows.try_emplace(source, 1, source);
  return impl_->predicted_held(node, std::move(rows));
}

at::Tensor Explainer::score(const UnseenNodes& unseen) const {
  const at::NoGradGuard no_grad;
  const Trace& trace = impl_->trace;
  GraphChange change{.rows = joined_rows(trace.graph, unseen), .one_way = unseen.directed, .new_h_0 = {}};
  change.new_h_0 = explain::begin(*trace.path_model, unseen.features).contiguous();
  std::vector<NodeId> targets;
  for (int64_t m = 0; m < unseen.features.num_nodes(); ++m) {
    targets.push_back(static_cast<NodeId>(trace.graph.num_nodes() + m));
  }
  return impl_->probabilities(follow(trace, targets, change));
}

}  // namespace geniepath
