#include "reproduce/figure_paths.h"

#include <chrono>
#include <set>

#include "geniepath/error.h"
#include "geniepath/explain.h"
#include "report/drawing.h"
#include "report/explanation_json.h"
#include "run/run_threshold.h"

namespace geniepath::cli {
namespace {

using report::Json;

constexpr int64_t kNodesShown = 60, kFewNeighbours = 5;
constexpr int64_t kLayer = 1;  // the layer that the paper draws
constexpr Level kLevels[] = {Level::kGreen, Level::kBlue, Level::kRed};

int64_t nodes_within_two_hops(const Graph& graph, NodeId node) {
  std::set<NodeId> near{node};
  for (const NodeId i : graph.incoming().neighbours(node)) {
    near.insert(i);
    for (const NodeId j : graph.incoming().neighbours(i)) near.insert(j);
  }
  return static_cast<int64_t>(near.size());
}

NodeId uncrowded_node(const Dataset& data) {
  if (data.test.empty()) fail(data.name, ": no test node to show");
  // Nodes with few neighbours, which leave little choice, come last.
  const auto rate = [&](NodeId node) {
    return std::pair(data.graph.incoming().degree(node) < kFewNeighbours,
                     std::abs(nodes_within_two_hops(data.graph, node) - kNodesShown));
  };
  NodeId best = data.test.front();
  for (auto lowest = rate(best); const NodeId node : data.test) {
    if (const auto rating = rate(node); rating < lowest) lowest = rating, best = node;
  }
  return best;
}

// Number of edges per level.
struct LevelCounts {
  int64_t laplacian = 0, alpha = 0;
};

LevelCounts count(const Explanation& explanation, Level level) {
  LevelCounts counts;
  for (const PathEdge& edge : explanation.edges) {
    counts.laplacian += level_of(edge.laplacian) == level;
    counts.alpha += level_of(edge.alpha[kLayer - 1]) == level;
  }
  return counts;
}

std::string markdown(const report::NodeFacts& facts, const Explanation& explanation, const std::string& command) {
  std::string text = "# figure-paths\n\n`" + command + "`: node " + facts.id(explanation.node) + " of " +
                     facts.data().name + ", " + std::to_string(explanation.nodes.size()) + " nodes and " +
                     std::to_string(explanation.edges.size()) + " edges on paths of at most " +
                     std::to_string(explanation.hops) + " hops; " + report::left_out_text(explanation) +
                     ".\n\n| importance of an edge | graph Laplacian | first adaptive path layer |\n|---|---:|---:|\n";
  for (const Level level : kLevels) {
    const auto [laplacian, alpha] = count(explanation, level);
    text += std::string("| ") + report::text_of(level) + " | " + std::to_string(laplacian) + " | " +
            std::to_string(alpha) + " |\n";
  }
  return text;
}

Json levels_json(const Explanation& explanation) {
  Json list = Json::array();
  for (const Level level : kLevels) {
    const auto [laplacian, alpha] = count(explanation, level);
    list.push_back({{"level", to_string(level)}, {"laplacian", laplacian}, {"alpha", alpha}});
  }
  return list;
}

}  // namespace

FigurePaths figure_paths(const RunFolder& folder, const Dataset& data, NodeId node, const std::string& command) {
  if (node >= data.graph.num_nodes()) {
    fail("--node: ", node, ", but ", data.name, " has ", data.graph.num_nodes(), " nodes");
  }
  const NodeId shown = node < 0 ? uncrowded_node(data) : node;
  ExplainOptions options;
  options.top = 100000;  // the maximum, as the paper keeps all paths
  const RunDescription run = folder.description();
  const auto model = load_model(folder);
  const int64_t depth = run.model.depth;
  const ReceptiveField field = receptive_field(data, {&shown, 1}, depth + std::min(depth, options.hops));
  const Explainer explainer(model, field.data, field.degree);
  const report::NodeFacts facts(field.data, explainer, run.class_names,
                                run::threshold_on(data, *model, run, run::run_threshold(folder)));
  const auto start = std::chrono::steady_clock::now();
  const Explanation explanation = explainer.explain(*facts.find(data.node_name(shown)), options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const Json results{{"table", "figure-paths"},
                     {"command", command},
                     {"data", data.name},
                     {"layer", kLayer},
                     {"levels", levels_json(explanation)},
                     {"explanation", report::explanation_json(facts, explanation, seconds)}};
  return {results.dump(2, ' ', false, Json::error_handler_t::replace) + "\n",
          report::explanation_svg(facts, explanation, kLayer), markdown(facts, explanation, command)};
}

}  // namespace geniepath::cli
