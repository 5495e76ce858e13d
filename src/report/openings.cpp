#include "report/openings.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/random.h"

namespace geniepath::report {
namespace {

constexpr size_t kMostTried = 200;    // by the explorer
constexpr size_t kMostPerKind = 100;  // by the report
constexpr uint64_t kSeed = 1;

std::vector<NodeId> drawn(std::vector<NodeId> nodes, size_t most) {
  shuffle(nodes, Random{kSeed});
  nodes.resize(std::min(most, nodes.size()));
  return nodes;
}

DecidedNode decided(const NodeFacts& facts, const Explainer& explainer, NodeId node, const ExplainOptions& options) {
  const size_t shown = facts.telling_class(node);
  const std::vector<double> full = facts.scores(node), without = facts.scores(explainer.without_paths(node, options));
  return {node, full[shown], without[shown], facts.predicted(full) != facts.predicted(without)};
}

bool decided_before(const DecidedNode& a, const DecidedNode& b) {
  return a.change() != b.change() ? a.change() > b.change() : a.node < b.node;
}

bool predicted_positive(const NodeFacts& facts, NodeId node) { return facts.scores(node)[1] > facts.threshold(); }

// The nodes that the explorer tries; in a binary task, half of them predicted positive where there are enough.
std::vector<NodeId> explorer_sample(const NodeFacts& facts, const Explainer& explainer) {
  std::vector<NodeId> nodes = facts.data().test;
  if (nodes.empty()) {
    nodes.resize(static_cast<size_t>(explainer.num_nodes()));
    std::iota(nodes.begin(), nodes.end(), NodeId{0});
  }
  if (facts.data().task != Task::kBinary) return drawn(std::move(nodes), kMostTried);
  const auto others = std::stable_partition(nodes.begin(), nodes.end(),
                                            [&](NodeId node) { return predicted_positive(facts, node); });
  const size_t negative = std::min(kMostTried, static_cast<size_t>(nodes.end() - others));
  std::vector<NodeId> sample = drawn({nodes.begin(), others}, std::max(kMostTried / 2, kMostTried - negative));
  const std::vector<NodeId> rest = drawn({others, nodes.end()}, kMostTried - sample.size());
  sample.insert(sample.end(), rest.begin(), rest.end());
  return sample;
}

std::vector<ReportSample> kinds_of(const NodeFacts& facts) {
  if (facts.data().task == Task::kBinary) return {{"Found", {}}, {"False alarm", {}}, {"Missed", {}}};
  return {{"Right", {}}, {"Wrong", {}}};
}

// Index into kinds_of(); -1 for a normal node that is found to be one, and for an unlabelled node.
int kind_of(const NodeFacts& facts, NodeId node) {
  const auto labels = facts.labels(node);
  if (!labels) return -1;
  const std::vector<std::string> predicted = facts.predicted(facts.scores(node));
  const bool right = *labels == predicted;
  if (facts.data().task != Task::kBinary) return right ? 0 : 1;
  const bool positive = labels->front() == facts.classes()[1];
  return positive ? (right ? 0 : 2) : (right ? -1 : 1);
}

}  // namespace

std::vector<DecidedNode> decided_nodes(const NodeFacts& facts, const Explainer& explainer,
                                       const ExplainOptions& options) {
  std::vector<DecidedNode> nodes;
  for (const NodeId node : explorer_sample(facts, explainer)) nodes.push_back(decided(facts, explainer, node, options));
  std::sort(nodes.begin(), nodes.end(), decided_before);
  return nodes;
}

std::vector<ReportSample> report_samples(const NodeFacts& facts) {
  std::vector<ReportSample> samples = kinds_of(facts);
  for (const NodeId node : facts.data().test) {
    const int kind = facts.degree(node) >= 2 ? kind_of(facts, node) : -1;
    if (kind >= 0) samples[static_cast<size_t>(kind)].nodes.push_back(node);
  }
  for (ReportSample& sample : samples) sample.nodes = drawn(std::move(sample.nodes), kMostPerKind);
  std::erase_if(samples, [](const ReportSample& sample) { return sample.nodes.empty(); });
  return samples;
}

std::vector<ReportOpening> report_openings(const NodeFacts& facts, const Explainer& explainer,
                                           const std::vector<ReportSample>& samples, const ExplainOptions& options,
                                           const PathProgress& progress) {
  int64_t tried = 0, all = 0;
  for (const ReportSample& sample : samples) all += std::ssize(sample.nodes);
  std::vector<ReportOpening> openings;
  for (const ReportSample& sample : samples) {
    std::vector<DecidedNode> nodes;
    for (const NodeId node : sample.nodes) {
      nodes.push_back(decided(facts, explainer, node, options));
      if (progress) progress(++tried, all);
    }
    openings.push_back({sample.kind, *std::min_element(nodes.begin(), nodes.end(), decided_before)});
  }
  return openings;
}

}  // namespace geniepath::report
