#include "geniepath/path_quality.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

#include "base/statistics.h"
#include "data/draws.h"
#include "explain/attention.h"
#include "explain/gates.h"
#include "explain/recovery.h"
#include "geniepath/error.h"
#include "training/batch.h"
#include "training/evaluation.h"

namespace geniepath {

using namespace explain;  // NOLINT(google-build-using-namespace): this file is part of the layer's interface

namespace {

// Purpose of a random stream; identifies it together with the seed.
enum Purpose : uint64_t { kSample, kRandomEdges };

std::vector<NodeId> sample_of(const Dataset& data, const PathQualityOptions& options) {
  options.check();
  if (data.test.empty()) fail("path quality: ", data.name, " has no test nodes, expected one or more");
  const Random random{static_cast<uint64_t>(options.sample_seed), kSample};
  std::vector<NodeId> nodes;
  for (const NodeId n : shuffled_ids(static_cast<NodeId>(data.test.size()), random)) {
    if (std::ssize(nodes) < options.sample) nodes.push_back(data.test[static_cast<size_t>(n)]);
  }
  std::ranges::sort(nodes);
  return nodes;
}

// [R, 1] classes, or [R, labels] of 0 and 1.
at::Tensor decisions(Task task, const at::Tensor& probabilities, double threshold) {
  if (task == Task::kMultiClass) return probabilities.argmax(1, true);
  return (probabilities > threshold).to(at::kLong);
}

double share(const at::Tensor& which) { return which.to(at::kDouble).mean().item<double>(); }

// Mean of each row.
std::vector<double> shares(const at::Tensor& which) {
  const at::Tensor mean = which.to(at::kDouble).mean(1).contiguous();
  return {mean.data_ptr<double>(), mean.data_ptr<double>() + mean.numel()};
}

std::vector<GraphEdge> edges_of(const Explanation& explanation) {
  std::vector<GraphEdge> edges;
  for (const PathEdge& edge : explanation.edges) edges.emplace_back(edge.source, edge.target);
  return edges;
}

// Probabilities of the sample's nodes, [R, outputs], with all edges and with changed ones.
struct Predictions {
  std::vector<at::Tensor> full, without, only, without_random;
};

class SampleMeter {
 public:
  SampleMeter(const Explainer& explainer, const Dataset& data, double threshold, const PathQualityOptions& options)
      : explainer_(explainer), data_(data), threshold_(threshold), options_(options) {}

  void add(const Explanation& explanation) {
    const NodeId node = explanation.node;
    const std::vector<GraphEdge> edges = edges_of(explanation);
    predicted_.full.push_back(explainer_.probabilities()[node]);
    predicted_.without.push_back(explainer_.without(node, edges));
    predicted_.only.push_back(explainer_.with_only(node, edges));
    const std::vector<GraphEdge> drawn = random_edges(node, edges);
    predicted_.without_random.push_back(explainer_.without(node, drawn));
    nodes_.push_back(node);
    const auto listed = static_cast<double>(edges.size()), omitted = static_cast<double>(explanation.omitted.edges);
    if (listed + omitted > 0) sparsity_ += omitted / (listed + omitted), ++with_edges_;
    if (listed > 0) shared_ += static_cast<double>(common(edges, drawn)) / listed, ++explained_;
  }

  ExplanationQuality result() const {
    const at::Tensor full = decided(predicted_.full), without = decided(predicted_.without);
    const at::Tensor only = decided(predicted_.only);
    ExplanationQuality quality;
    quality.model = {share(without != full), share(only != full)};
    if (data_.task == Task::kMultiClass) {
      const at::Tensor truth = training::labels_of(data_, nodes_).unsqueeze(1), right = full == truth;
      quality.phenomenon = {share((without == truth) != right), share((only == truth) != right)};
    }
    const at::Tensor without_random = decided(predicted_.without_random);
    quality.random_plus = share(without_random != full);
    if (nodes_.size() > 1) {
      quality.random_p = paired_test(shares(without != full), shares(without_random != full)).p;
    }
    quality.random_shared = shared_ / static_cast<double>(std::max<int64_t>(explained_, 1));
    quality.sparsity = sparsity_ / static_cast<double>(std::max<int64_t>(with_edges_, 1));
    quality.gates = mean_profile(explainer_, nodes_);
    return quality;
  }

 private:
  static int64_t common(std::vector<GraphEdge> a, std::vector<GraphEdge> b) {
    std::ranges::sort(a), std::ranges::sort(b);
    std::vector<GraphEdge> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    return std::ssize(both);
  }

  // As many edges into each node as there are in `edges`, drawn from all edges into it but its self-loop.
  std::vector<GraphEdge> random_edges(NodeId node, const std::vector<GraphEdge>& edges) const {
    std::map<NodeId, size_t> count;
    for (const auto& [_, target] : edges) ++count[target];
    std::vector<GraphEdge> drawn;
    for (const auto& [target, most] : count) {
      std::vector<PathEdge> row = explainer_.edges(target, 1);
      shuffle(row, Random{static_cast<uint64_t>(options_.sample_seed), kRandomEdges, static_cast<uint64_t>(node),
                          static_cast<uint64_t>(target)});
      for (size_t e = 0; e < most; ++e) drawn.emplace_back(row[e].source, target);
    }
    return drawn;
  }

  at::Tensor decided(const std::vector<at::Tensor>& rows) const {
    return decisions(data_.task, at::stack(rows), threshold_);
  }

  const Explainer& explainer_;
  const Dataset& data_;
  double threshold_;
  const PathQualityOptions& options_;
  Predictions predicted_;
  std::vector<NodeId> nodes_;
  double sparsity_ = 0, shared_ = 0;
  int64_t with_edges_ = 0, explained_ = 0;
};

EvenAttention even_attention(const Explainer& explainer, const Dataset& data, const ScoringRule& scoring) {
  const std::string& metric = scoring.metric.empty() ? data.metric : scoring.metric;
  const double threshold = scoring.threshold;
  const at::Tensor test = at::tensor(std::vector<int64_t>(data.test.begin(), data.test.end()));
  const at::Tensor learned = explainer.probabilities().index_select(0, test);
  const at::Tensor even = explainer.evenly_attended().index_select(0, test);
  const at::Tensor labels = training::labels_of(data, data.test);
  const auto score = [&](const at::Tensor& probabilities) {
    return training::score_by(scoring.protocol, data.task, probabilities, labels, threshold, {}, Rankings::kWith)
        .by_name(metric);
  };
  const at::Tensor differ = decisions(data.task, learned, threshold) != decisions(data.task, even, threshold);
  return {share(differ), metric, score(learned), score(even)};
}

// Means by layer: entropy over that of even attention.
class EntropyMeter {
 public:
  explicit EntropyMeter(int64_t layers) : sum_(static_cast<size_t>(layers)) {}

  void add(int64_t neighbours, const std::vector<AttentionEntropy>& layers) {
    if (neighbours < 2) return;
    for (size_t t = 0; t < layers.size(); ++t) sum_[t] += layers[t].entropy / layers[t].uniform;
    ++nodes_;
  }

  std::vector<double> result() const {
    std::vector<double> mean;
    for (const double sum : sum_) {
      if (nodes_ > 0) mean.push_back(sum / nodes_);
    }
    return mean;
  }

 private:
  std::vector<double> sum_;
  double nodes_ = 0;
};

// The quality of attention without paths.
PathQuality attention_quality(const Attention& attention, const Dataset& data, const PathQualityOptions& options) {
  PathQuality quality;
  quality.options = options;
  const std::vector<NodeId> sample = sample_of(data, options);
  quality.nodes = std::ssize(sample);
  EntropyMeter entropy(attention.depth());
  for (const NodeId node : sample) {
    entropy.add(attention.degree[static_cast<size_t>(node)] - 1, entropy_of(attention, node));
  }
  quality.entropy = entropy.result();
  if (data.true_edges.empty()) return quality;
  RecoveryMeter recovery(data, attention.depth());
  for (const NodeId node : data.test) {
    std::vector<PathEdge> row;
    append_row(attention, node, row);
    recovery.add_rows(row);
  }
  quality.recovery = recovery.result();
  return quality;
}

}  // namespace

void PathQualityOptions::visit(OptionVisitor& options) {
  options.integer("sample", sample, {1, 1000000}, "number of test nodes whose strongest paths are measured");
  options.integer("hops", hops, {1, 1000}, "length of the longest paths, at most the model's depth");
  options.integer("top", top, {1, 100000}, "strongest paths of each node, whose edges are its explanation");
  options.integer("sample-seed", sample_seed, {0, int64_t{1} << 53}, "seed of the sample and of the random edges");
}

PathQuality path_quality(const Explainer& explainer, const Dataset& data, const ScoringRule& scoring,
                         const PathQualityOptions& options, const PathProgress& progress) {
  PathQuality quality;
  quality.options = options;
  quality.options.hops = std::min(options.hops, explainer.depth());
  const std::vector<NodeId> sample = sample_of(data, options);
  quality.nodes = std::ssize(sample);
  ExplainOptions explain;
  explain.hops = options.hops, explain.top = options.top;
  SampleMeter explanations(explainer, data, scoring.threshold, options);
  EntropyMeter entropy(explainer.depth());
  RecoveryMeter recovery(data, explainer.depth());
  for (size_t n = 0; n < sample.size(); ++n) {
    const Explanation explanation = explainer.explain(sample[n], explain);
    explanations.add(explanation);
    entropy.add(explainer.degree(sample[n]), explanation.entropy);
    recovery.add_paths(explanation);
    if (progress) progress(static_cast<int64_t>(n) + 1, quality.nodes);
  }
  quality.explanations = explanations.result();
  quality.even = even_attention(explainer, data, scoring);
  quality.entropy = entropy.result();
  if (data.true_edges.empty()) return quality;
  for (const NodeId node : data.test) recovery.add_rows(explainer.edges(node, 1));
  quality.recovery = recovery.result();
  return quality;
}

std::optional<PathQuality> path_quality(std::shared_ptr<const Model> model, const Dataset& data,
                                        const ScoringRule& scoring, const PathQualityOptions& options,
                                        const PathProgress& progress) {
  if (has_paths(*model)) return path_quality(Explainer(std::move(model), data), data, scoring, options, progress);
  const std::optional<Attention> attention = attention_of(*model, data);
  if (!attention) return std::nullopt;
  return attention_quality(*attention, data, options);
}

std::optional<PathRecovery> path_recovery(const Explainer& explainer, const Dataset& data,
                                          const Explanation& explanation) {
  if (data.true_edges.empty()) return std::nullopt;
  RecoveryMeter recovery(data, explanation.depth);
  recovery.add_rows(explainer.edges(explanation.node, explanation.hops));
  recovery.add_paths(explanation);
  return recovery.result();
}

}  // namespace geniepath
