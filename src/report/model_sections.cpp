#include "report/model_sections.h"

#include <algorithm>
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

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto at = static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

// Why no test node is shown (report_samples()).
std::string why_none(const NodeFacts& facts) {
  const std::vector<NodeId>& test = facts.data().test;
  if (test.empty()) return "There are no test nodes.";
  if (std::ranges::none_of(test, [&](NodeId node) { return facts.degree(node) >= 2; }))
    return "No test node has two neighbours.";
  return "No test node with two neighbours is, or was predicted, " + html(facts.classes().back()) + ".";
}

}  // namespace

std::string depth_section(const Explainer& explainer) {
  const std::vector<NodeId> nodes = profiled_nodes(explainer);
  BarChart gates{"Gates over depth",
                 "hop",
                 "mean over nodes and K",
                 {},
                 {{"input i", {}}, {"forget f", {}}, {"output o", {}}},
                 {}};
  BarChart shares{
      "Share of the final memory", "hop", "mean over nodes", {}, {{"contribution", {}}, {"magnitude", {}}}, {}};
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
  return "<p>How open the gates are at each hop, and how much of a node's final memory entered there (contributions "
         "sum to 1; a negative one was overwritten later), over " +
         std::string(all ? "all " : "") + grouped(nodes.size(), "node") + (all ? "" : " spread evenly over the graph") +
         ".</p>\n<div class='charts'>" + svg(gates) + svg(shares) + "</div>\n";
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
  const std::pair<const char*, double> kinds[] = {
      {"upper quartile", 0.75}, {"median node", 0.5}, {"lower quartile", 0.25}};
  for (const auto& [name, share] : kinds) {
    Series series{name, {}};
    for (size_t layer = 0; layer < depth; ++layer)
      series.points.emplace_back(static_cast<double>(layer + 1), quantile(ratio[layer], share));
    chart.series.push_back(std::move(series));
  }
  return "<p>1: even attention to all neighbours, nearly as in the graph Laplacian; towards 0: attention to a single "
         "one.</p>\n"
         "<div class='charts'>" +
         svg(chart) + "</div>\n";
}

std::string paths_section(const NodeFacts& facts, const Explainer& explainer, const Columns& columns,
                          const std::vector<ReportSample>& samples, const PathProgress& progress) {
  ExplainOptions options;
  options.top = 40;
  std::string out;
  for (const auto& [kind, opened] : report_openings(facts, explainer, samples, options, progress)) {
    const Explanation explanation = explainer.explain(opened.node, options);
    const Reasons reasons = reasons_of(facts, explainer, explanation, columns);
    out += std::string("<h3>") + kind + ": " + html(facts.id(opened.node)) + ", " + fixed(opened.score, 3) +
           "; without these paths " + fixed(opened.without, 3) + "</h3>\n" +
           explanation_html(facts, explanation, 1, reasons_html(reasons, columns, opened.node));
  }
  if (out.empty()) return "<p>" + why_none(facts) + "</p>\n";
  return "<p>Decided by their paths: of a sample of test nodes, those whose score changes most when their " +
         std::to_string(options.top) + " strongest paths are taken away.</p>\n" + out;
}

}  // namespace geniepath::report
