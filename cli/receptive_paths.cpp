#include "receptive_paths.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "geniepath/error.h"
#include "geniepath/explain.h"
#include "geniepath/train.h"
#include "report/escape.h"
#include "text.h"

namespace geniepath::cli {
namespace {

constexpr int64_t kNodesShown = 60;

// The paper's three levels of importance.
constexpr const char* kLevelNames[] = {"below 0.1", "0.1 to 0.2", "0.2 and more"};
constexpr const char* kLevelColours[] = {"#2ca02c", "#1f77b4", "#d62728"};
size_t level_index(double weight) { return static_cast<size_t>(level_of(weight)); }

std::map<NodeId, int> hops_from(const Graph& graph, NodeId node) {
  std::map<NodeId, int> hop{{node, 0}};
  for (int distance = 1; distance <= 2; ++distance) {
    const std::map<NodeId, int> before = hop;
    for (const auto& [i, _] : before) {
      for (const NodeId j : graph.incoming().neighbours(i)) hop.emplace(j, distance);
    }
  }
  return hop;
}

NodeId uncrowded_node(const Dataset& data) {
  if (data.test.empty()) fail(data.name, ": no test node to show");
  NodeId best = data.test.front();
  int64_t nearest = std::numeric_limits<int64_t>::max();
  for (const NodeId node : data.test) {
    const int64_t gap = std::abs(static_cast<int64_t>(hops_from(data.graph, node).size()) - kNodesShown);
    if (gap < nearest) nearest = gap, best = node;
  }
  return best;
}

// alpha of the first layer for every edge: [E] by position in the input's incoming rows.
at::Tensor first_attention(Model& model, const ModelInput& input, const std::string& where) {
  const auto parameters = model.named_parameters();
  const auto find = [&](const std::string& name) {
    const at::Tensor* found = parameters.find(name);
    return found == nullptr ? at::Tensor() : found->detach();
  };
  const at::Tensor w_x = find("input.w_x"), w_s = find("breadth_0.w_s"), v = find("breadth_0.v"),
                   b_x = find("input.b_x");
  if (!w_x.defined() || !w_s.defined() || !v.defined()) {
    fail(where, ": not a geniepath model, which has the attention to show");
  }
  const at::Tensor w_d = find("breadth_0.w_d").defined() ? find("breadth_0.w_d") : w_s;
  at::Tensor h_0 = input.dense.defined() ? ops::linear(input.dense, w_x) : ops::sparse_linear(input.sparse, w_x);
  if (b_x.defined()) h_0 = h_0 + b_x;
  return ops::edge_attention_weights(input.graph, ops::linear(h_0, at::cat({w_s, w_d}, 1)), v).contiguous();
}

void collect_edges(const ModelInput& input, const at::Tensor& alpha, ReceptivePaths& paths) {
  const at::Tensor offset = input.graph.in_offset.cpu(), neighbour = input.graph.in_neighbour.cpu();
  const auto* begin = offset.data_ptr<int64_t>();
  const auto degree = [&](NodeId i) { return static_cast<double>(begin[i + 1] - begin[i]); };
  const at::Tensor weights = alpha.cpu();
  for (const auto& [i, hop] : paths.hop) {
    if (hop > 1) continue;
    for (int64_t e = begin[i]; e < begin[i + 1]; ++e) {
      const NodeId j = neighbour.data_ptr<int32_t>()[e];
      paths.edges.push_back({j, i, weights.data_ptr<float>()[e], 1 / std::sqrt(degree(i) * degree(j))});
    }
  }
}

struct Point {
  double x, y;
};

// The node in the middle, its neighbours around it, and theirs outside, near the first neighbour that leads to them.
std::map<NodeId, Point> layout(const ReceptivePaths& paths, double centre_x, double centre_y) {
  constexpr double kRadius[] = {0, 105, 210};
  std::vector<NodeId> ring[3];
  for (const auto& [node, hop] : paths.hop) {
    if (hop < 2) ring[hop].push_back(node);
  }
  std::map<NodeId, bool> placed;
  for (const NodeId inner : ring[1]) {
    for (const PathEdge& edge : paths.edges) {
      if (edge.target == inner && paths.hop.at(edge.source) == 2 && !placed[edge.source]) {
        placed[edge.source] = true;
        ring[2].push_back(edge.source);
      }
    }
  }
  std::map<NodeId, Point> points;
  for (int hop = 0; hop < 3; ++hop) {
    for (size_t n = 0; n < ring[hop].size(); ++n) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(n) / static_cast<double>(ring[hop].size());
      points[ring[hop][n]] = {centre_x + kRadius[hop] * std::cos(angle), centre_y + kRadius[hop] * std::sin(angle)};
    }
  }
  return points;
}

void draw_panel(std::ostream& out, const ReceptivePaths& paths, double centre_x, const std::string& title,
                double PathEdge::*weight) {
  constexpr double kCentreY = 260;
  const std::map<NodeId, Point> points = layout(paths, centre_x, kCentreY);
  out << "<text x=\"" << centre_x << "\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">" << report::html(title)
      << "</text>\n";
  for (size_t level = 0; level < 3; ++level) {  // the important ones on top
    for (const PathEdge& edge : paths.edges) {
      if (edge.source == edge.target || level_index(edge.*weight) != level) continue;
      const Point a = points.at(edge.source), b = points.at(edge.target);
      out << "<line x1=\"" << a.x << "\" y1=\"" << a.y << "\" x2=\"" << b.x << "\" y2=\"" << b.y << "\" stroke=\""
          << kLevelColours[level] << "\" stroke-width=\"" << 0.4 + 9 * edge.*weight << "\" stroke-opacity=\"0.7\"/>\n";
    }
  }
  for (const auto& [node, point] : points) {
    out << "<circle cx=\"" << point.x << "\" cy=\"" << point.y << "\" r=\"" << (node == paths.node ? 8 : 3.5)
        << "\" fill=\"" << (node == paths.node ? "black" : "#888888") << "\"/>\n";
  }
}

std::array<int64_t, 3> level_counts(const ReceptivePaths& paths, double PathEdge::*weight) {
  std::array<int64_t, 3> counts{};
  for (const PathEdge& edge : paths.edges) ++counts[level_index(edge.*weight)];
  return counts;
}

}  // namespace

nlohmann::ordered_json ReceptivePaths::to_json() const {
  nlohmann::ordered_json object{{"data", data},
                                {"node", node},
                                {"nodes", nlohmann::ordered_json::array()},
                                {"edges", nlohmann::ordered_json::array()}};
  for (const auto& [id, distance] : hop) object["nodes"].push_back({{"node", id}, {"hop", distance}});
  for (const PathEdge& edge : edges) {
    object["edges"].push_back(
        {{"source", edge.source}, {"target", edge.target}, {"alpha", edge.alpha}, {"laplacian", edge.laplacian}});
  }
  return object;
}

std::string ReceptivePaths::to_markdown(const std::string& command) const {
  const auto by_laplacian = level_counts(*this, &PathEdge::laplacian), by_alpha = level_counts(*this, &PathEdge::alpha);
  std::string text = "# figure-paths\n\n`" + command + "`: node " + std::to_string(node) + " of " + data + ", " +
                     std::to_string(hop.size()) + " nodes and " + std::to_string(edges.size()) +
                     " edges (self-loops among them) on paths of at most 2 hops.\n\n"
                     "| importance of an edge | graph Laplacian | first adaptive path layer |\n|---|---:|---:|\n";
  for (size_t level = 0; level < 3; ++level) {
    text += std::string("| ") + kLevelNames[level] + " | " + std::to_string(by_laplacian[level]) + " | " +
            std::to_string(by_alpha[level]) + " |\n";
  }
  return text;
}

std::string ReceptivePaths::to_svg() const {
  std::ostringstream out;
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 980 520\" width=\"980\" height=\"520\" "
         "font-family=\"sans-serif\">\n<rect width=\"980\" height=\"520\" fill=\"white\"/>\n";
  draw_panel(out, *this, 245, "Graph Laplacian", &PathEdge::laplacian);
  draw_panel(out, *this, 735, "Receptive paths", &PathEdge::alpha);
  for (size_t level = 0; level < 3; ++level) {
    const double x = 330 + 120 * static_cast<double>(level);
    out << "<rect x=\"" << x << "\" y=\"496\" width=\"12\" height=\"12\" fill=\"" << kLevelColours[level]
        << "\"/><text x=\"" << x + 17 << "\" y=\"507\" font-size=\"12\">" << kLevelNames[level] << "</text>\n";
  }
  out << "</svg>\n";
  return out.str();
}

ReceptivePaths receptive_paths(const std::filesystem::path& run, NodeId node) {
  const RunFolder folder(run);
  const RunDescription description = folder.description();
  const Dataset data = apply_transforms(load_dataset(description.data, description.tables), folder.transforms());
  if (node >= data.graph.num_nodes()) {
    fail("--node: ", node, ", but ", data.name, " has ", data.graph.num_nodes(), " nodes");
  }
  ReceptivePaths paths;
  paths.data = data.name;
  paths.node = node < 0 ? uncrowded_node(data) : node;
  paths.hop = hops_from(data.graph, paths.node);
  const ModelInput input(data.features, data.graph);
  collect_edges(input, first_attention(*load_model(folder), input, run.string()), paths);
  return paths;
}

}  // namespace geniepath::cli
