#include "data/statistics.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

namespace geniepath {
namespace {

// Number of distinct neighbours other than `node` in the union of two ascending lists.
int64_t degree_of(NodeId node, std::span<const NodeId> in, std::span<const NodeId> out) {
  int64_t degree = 0;
  NodeId last = -1;
  auto a = in.begin(), b = out.begin();
  while (a != in.end() || b != out.end()) {
    const bool from_in = b == out.end() || (a != in.end() && *a <= *b);
    const NodeId next = from_in ? *a++ : *b++;
    degree += next != last && next != node;
    last = next;
  }
  return degree;
}

void add_to(std::vector<DegreeBin>& histogram, int64_t degree) {
  const auto bin = static_cast<size_t>(std::bit_width(static_cast<uint64_t>(degree)));
  for (size_t b = histogram.size(); b <= bin; ++b) {
    const int64_t from = b == 0 ? 0 : int64_t{1} << (b - 1);
    histogram.push_back({from, b == 0 ? 0 : 2 * from - 1, 0});
  }
  ++histogram[bin].nodes;
}

void count_edges(const Graph& graph, DatasetStatistics& result) {
  int64_t ends = 0;
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    const auto in = graph.incoming().neighbours(node);
    const int64_t degree = degree_of(node, in, graph.outgoing().neighbours(node));
    ends += degree;
    result.self_loops += std::binary_search(in.begin(), in.end(), node);
    result.isolated += degree == 0;
    result.max_degree = std::max(result.max_degree, degree);
    add_to(result.degree_histogram, degree);
  }
  result.edges = ends / 2 + result.self_loops;
}

}  // namespace

DatasetStatistics statistics_of(const Dataset& data) {
  DatasetStatistics result;
  result.nodes = data.graph.num_nodes();
  result.entries = data.graph.num_edges();
  result.features = data.features.num_features();
  result.classes = data.num_classes;
  result.graphs = data.graph.num_parts();
  result.train = static_cast<int64_t>(data.train.size());
  result.valid = static_cast<int64_t>(data.valid.size());
  result.test = static_cast<int64_t>(data.test.size());
  count_edges(data.graph, result);
  const std::vector<NodeId> component = data.graph.components();
  if (!component.empty()) result.components = *std::max_element(component.begin(), component.end()) + 1;
  const double cells = static_cast<double>(result.nodes) * static_cast<double>(result.features);
  if (cells > 0) result.density_of_features = static_cast<double>(data.features.num_nonzeros()) / cells;
  return result;
}

nlohmann::ordered_json to_json(const DatasetStatistics& s) {
  nlohmann::ordered_json histogram = nlohmann::ordered_json::array();
  for (const DegreeBin& bin : s.degree_histogram) {
    histogram.push_back({{"from", bin.from}, {"to", bin.to}, {"nodes", bin.nodes}});
  }
  return {{"nodes", s.nodes},
          {"edges", s.edges},
          {"self_loops", s.self_loops},
          {"entries", s.entries},
          {"features", s.features},
          {"classes", s.classes},
          {"graphs", s.graphs},
          {"train", s.train},
          {"valid", s.valid},
          {"test", s.test},
          {"components", s.components},
          {"max_degree", s.max_degree},
          {"isolated", s.isolated},
          {"density_of_features", s.density_of_features},
          {"degree_histogram", std::move(histogram)}};
}

}  // namespace geniepath
