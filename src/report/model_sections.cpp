#include "report/model_sections.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "explain/gates.h"
#include "report/escape.h"
#include "report/explanation_text.h"
#include "report/numbers.h"
#include "report/plot.h"

namespace geniepath::report {
namespace {

constexpr int64_t kMostProfiled = 20000;

// All nodes, or an even sample of many.
std::vector<NodeId> profiled_nodes(const Explainer& explainer) {
  const int64_t all = explainer.num_nodes(), count = std::min(all, kMostProfiled);
  std::vector<NodeId> nodes;
  for (int64_t n = 0; n < count; ++n) nodes.push_back(static_cast<NodeId>(n * all / count));
  return nodes;
}

// The test node with the highest rating; -1 if none is rated.
NodeId best_node(const std::vector<NodeId>& nodes, const std::function<double(NodeId)>& rate) {
  NodeId best = -1;
  double highest = 0;
  for (const NodeId node : nodes) {
    const double value = rate(node);
    if (value > highest) highest = value, best = node;
  }
  return best;
}

struct ChosenNode {
  std::string why;
  NodeId node;
};

bool is_right(const NodeFacts& facts, NodeId node) {
  const auto labels = facts.labels(node);
  return labels && *labels == facts.predicted(facts.scores(node));
}

bool has_choice(const NodeFacts& facts, NodeId node) { return facts.degree(node) >= 2; }

std::vector<ChosenNode> chosen_nodes(const NodeFacts& facts) {
  const std::vector<NodeId>& test = facts.data().test;
  const bool binary = facts.data().task == Task::kBinary;
  const auto labelled_positive = [&](NodeId node) {
    const auto labels = facts.labels(node);
    return labels && labels->front() == facts.classes()[1];
  };
  std::vector<ChosenNode> chosen;
  const auto add = [&](const char* why, const std::function<double(NodeId)>& rate) {
    const NodeId node = best_node(test, [&](NodeId n) { return has_choice(facts, n) ? rate(n) : 0; });
    if (node >= 0) chosen.push_back({why, node});
  };
  const auto score = [&](NodeId node) { return facts.scores(node)[facts.telling_class(node)]; };
  if (binary) {
    const auto raised = [&](NodeId node) { return score(node) > facts.threshold(); };
    add("Found with the highest score", [&](NodeId n) { return labelled_positive(n) ? score(n) : 0; });
    add("False alarm with the highest score", [&](NodeId n) { return labelled_positive(n) ? 0 : raised(n) ? score(n) : 0; });
    add("Missed with the lowest score", [&](NodeId n) { return labelled_positive(n) && !raised(n) ? 1 - score(n) : 0; });
    return chosen;
  }
  add("Right with the highest score", [&](NodeId n) { return is_right(facts, n) ? score(n) : 0; });
  add("Wrong with the highest score", [&](NodeId n) { return is_right(facts, n) ? 0 : score(n); });
  return chosen;
}

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto at = static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

}  // namespace

std::string depth_section(const Explainer& explainer) {
  const std::vector<NodeId> nodes = profiled_nodes(explainer);
  BarChart gates{"Gates over depth", "hop", "mean over nodes and K", {}, {{"input i", {}}, {"forget f", {}}, {"output o", {}}}, {}};
  BarChart shares{"Share of the final memory", "hop", "mean over nodes", {}, {{"contribution", {}}, {"magnitude", {}}}, {}};
  for (const GateProfile& gate : explain::mean_profile(explainer, nodes)) {
    gates.names.push_back(std::to_string(gate.hop));
    gates.series[0].values.push_back(gate.input);
    gates.series[1].values.push_back(gate.forget);
    gates.series[2].values.push_back(gate.output);
    shares.series[0].values.push_back(gate.contribution);
    shares.series[1].values.push_back(gate.magnitude);
  }
  shares.names = gates.names;
  const bool all = std::ssize(nodes) == explainer.num_nodes();
  return "<p>How open the gates are at each hop, and how much of a node's final memory entered there (contributions sum to 1; "
         "a negative one was overwritten later), over " + std::string(all ? "all " : "") + grouped(static_cast<double>(nodes.size())) +
         (all ? " nodes" : " nodes spread evenly over the graph") + ".</p>\n<div class='charts'>" + svg(gates) + svg(shares) + "</div>\n";
}

std::string entropy_section(const Explainer& explainer) {
  const auto depth = static_cast<size_t>(explainer.depth());
  std::vector<std::vector<double>> ratio(depth);  // of nodes with neighbours
  for (NodeId node = 0; node < explainer.num_nodes(); ++node) {
    if (explainer.degree(node) == 0) continue;
    for (const AttentionEntropy& layer : explainer.entropy(node)) {
      ratio[static_cast<size_t>(layer.layer - 1)].push_back(layer.entropy / layer.uniform);
    }
  }
  LineChart chart{"Attention entropy relative to even attention", "layer", "ratio", {}, {}, Range{0, 1.02}, true, true};
  const std::pair<const char*, double> kinds[] = {{"upper quartile", 0.75}, {"median node", 0.5}, {"lower quartile", 0.25}};
  for (const auto& [name, share] : kinds) {
    Series series{name, {}};
    for (size_t layer = 0; layer < depth; ++layer) series.points.emplace_back(static_cast<double>(layer + 1), quantile(ratio[layer], share));
    chart.series.push_back(std::move(series));
  }
  return "<p>1: even attention to all neighbours, nearly as in the graph Laplacian; towards 0: attention to a single one.</p>\n"
         "<div class='charts'>" + svg(chart) + "</div>\n";
}

std::string paths_section(const NodeFacts& facts, const Explainer& explainer) {
  std::string out;
  ExplainOptions options;
  options.top = 40;
  for (const ChosenNode& chosen : chosen_nodes(facts)) {
    out += "<h3>" + html(chosen.why) + ": " + html(facts.id(chosen.node)) + "</h3>\n" +
           explanation_html(facts, explainer.explain(chosen.node, options), 1);
  }
  return out.empty() ? "<p>No test node has two neighbours.</p>\n" : out;
}

}  // namespace geniepath::report
