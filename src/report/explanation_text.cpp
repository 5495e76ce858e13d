#include "report/explanation_text.h"

#include <algorithm>

#include "base/noun.h"
#include "base/text_stream.h"
#include "report/drawing.h"
#include "report/escape.h"
#include "report/numbers.h"
#include "report/plot.h"

namespace geniepath::report {
namespace {

// The first few of a long list, and how many more there are.
std::string in_short(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : listed(names, 5);
}

std::string gates_chart(const Explanation& explanation) {
  BarChart chart{"Gates over depth",
                 "hop",
                 "mean over K",
                 {},
                 {{"input i", {}}, {"forget f", {}}, {"output o", {}}, {"share of the memory", {}}},
                 {}};
  for (const GateProfile& gate : explanation.gates) {
    chart.names.push_back(std::to_string(gate.hop));
    const double values[] = {gate.input, gate.forget, gate.output, gate.contribution};
    for (size_t s = 0; s < 4; ++s) chart.series[s].values.push_back(values[s]);
  }
  return svg(chart);
}

std::string entropy_chart(const Explanation& explanation) {
  LineChart chart{
      "Attention entropy", "layer", "nats", {{"of the node", {}}, {"even attention", {}, true}}, {}, {}, true, true};
  chart.y_range = Range{0, 0.1};
  for (const AttentionEntropy& layer : explanation.entropy) {
    const auto x = static_cast<double>(layer.layer);
    chart.series[0].points.emplace_back(x, layer.entropy);
    chart.series[1].points.emplace_back(x, layer.uniform);
    chart.y_range->high = std::max(chart.y_range->high, layer.uniform * 1.05);
  }
  return svg(chart);
}

void write_paths_table(std::ostream& out, const NodeFacts& facts, const Explanation& explanation, size_t most) {
  out << "<table><caption>Strongest paths</caption><thead><tr><th scope='col'>path</th><th scope='col'>α by step</th>"
         "<th scope='col'>product</th><th scope='col'>Laplacian</th></tr></thead><tbody>\n";
  for (size_t p = 0; p < std::min(most, explanation.paths.size()); ++p) {
    const ReceptivePath& path = explanation.paths[p];
    out << "<tr><td>";
    for (size_t n = 0; n < path.nodes.size(); ++n)
      out << (n == 0 ? "" : " ← ") << html(shortened(facts.id(path.nodes[n]), 24));
    out << "</td><td>";
    for (size_t s = 0; s < path.alpha.size(); ++s) out << (s == 0 ? "" : " · ") << fixed(path.alpha[s], 3);
    out << "</td><td>" << fixed(path.product, 4) << "</td><td>" << fixed(path.laplacian, 4) << "</td></tr>\n";
  }
  out << "</tbody></table>\n";
}

}  // namespace

void write_edges_heading(CsvWriter& table, int64_t depth) {
  for (const char* name : {"node", "source", "target"}) table.text(name);
  for (int64_t layer = 1; layer <= depth; ++layer) table.text("alpha_" + std::to_string(layer));
  table.text("laplacian").text("level").end_row();
}

void write_edges(CsvWriter& table, const NodeFacts& facts, NodeId node, const std::vector<PathEdge>& edges) {
  for (const PathEdge& edge : edges) {
    for (const NodeId named : {node, edge.source, edge.target}) table.text(facts.id(named));
    for (const float alpha : edge.alpha) table.number(alpha);
    table.number(edge.laplacian).text(to_string(level_of(edge.alpha.front()))).end_row();
  }
}

std::string node_line(const NodeFacts& facts, NodeId node) {
  TextStream out;
  out << facts.id(node) << ": ";
  if (facts.type(node) != nullptr) out << facts.type(node) << ", ";
  out << counted(facts.degree(node), "neighbour");
  if (facts.split(node) != nullptr) out << ", " << facts.split(node) << " node";
  out << "; predicted " << in_short(facts.predicted(facts.scores(node)));
  const auto labels = facts.labels(node);
  out << "; labelled " << (labels ? in_short(*labels) : "not at all");
  return out.str();
}

std::string prediction_text(const NodeFacts& facts, NodeId node, const at::Tensor& probabilities) {
  const size_t telling = facts.telling_class(node);
  return facts.classes()[telling] + " " + fixed(facts.scores(probabilities)[telling], 3);
}

std::string explanation_html(const NodeFacts& facts, const Explanation& explanation, int64_t layer,
                             const std::string& reasons) {
  TextStream out;
  const auto prediction = [&](const at::Tensor& probabilities) {
    return html(prediction_text(facts, explanation.node, probabilities));
  };
  out << "<p>" << html(node_line(facts, explanation.node)) << "</p>\n"
      << reasons << "<figure>" << explanation_svg(facts, explanation, layer) << "</figure>\n<p>With all edges: <b>"
      << prediction(explanation.faithfulness.full) << "</b>. With only the edges of these paths: <b>"
      << prediction(explanation.faithfulness.kept) << "</b>. Without them: <b>"
      << prediction(explanation.faithfulness.dropped) << "</b>.";
  if (explanation.threshold > 0) {
    out << " Paths with a product of " << fixed(explanation.threshold, 4) << " or more reach "
        << grouped(explanation.reached, "node") << ".";
  }
  out << "</p>\n<div class='charts'>" << gates_chart(explanation) << entropy_chart(explanation) << "</div>\n";
  write_paths_table(out, facts, explanation, 12);
  return out.str();
}

}  // namespace geniepath::report
