#include "data/formats/ppi.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/file.h"
#include "data/formats/ppi_dgl.h"
#include "data/formats/ppi_json.h"
#include "geniepath/error.h"
#include "io/npy.h"

namespace geniepath {
namespace {

// Sizes of the published data set's graphs: 20 to train on, 2 to validate, 2 to test.
constexpr std::array<NodeId, 24> kPublishedSizes = {1554, 1388, 2273, 2349, 1587, 1029, 1835, 2500,
                                                    602,  3326, 2407, 1884, 1825, 3497, 2807, 2333,
                                                    2664, 2829, 3180, 3037, 3210, 3304, 3214, 2310};
constexpr std::array<NodeId, 3> kPublishedSplits = {44906, 6514, 5524};

enum Split : uint8_t { kTrain, kValid, kTest };

// Attributes of the nodes, by id.
struct Nodes {
  std::vector<NodeId> row;
  std::vector<uint8_t> split;
  std::vector<NodeId> place;  // number in the data set: ordered by split, then row
  std::array<NodeId, 3> split_size{};
  NodeId size() const { return static_cast<NodeId>(row.size()); }
};

// Checks that every id of 0..N-1 appears exactly once.
void check_ids(std::span<const NodeId> ids, NodeId num_nodes, const std::string& where) {
  std::vector<bool> seen(static_cast<size_t>(num_nodes));
  for (const NodeId id : ids) {
    if (id >= num_nodes) fail(where, ": node id ", id, ", but there are ", num_nodes, " nodes (ids from 0)");
    if (seen[static_cast<size_t>(id)]) fail(where, ": node id ", id, " appears twice");
    seen[static_cast<size_t>(id)] = true;
  }
  const auto absent = std::find(seen.begin(), seen.end(), false);
  if (absent != seen.end()) fail(where, ": no entry for node id ", absent - seen.begin());
}

Nodes number_nodes(const NodeLink& graph, const IdMap& map, const std::string& graph_name,
                   const std::string& map_name) {
  const auto size = static_cast<NodeId>(graph.id.size());
  if (size == 0) fail(graph_name, ": no nodes");
  check_ids(graph.id, size, graph_name);
  check_ids(map.id, size, map_name);
  check_ids(map.row, size, map_name + ": rows");
  Nodes nodes;
  nodes.row.resize(graph.id.size());
  nodes.split.resize(graph.id.size());
  nodes.place.resize(graph.id.size());
  for (size_t i = 0; i < map.id.size(); ++i) nodes.row[static_cast<size_t>(map.id[i])] = map.row[i];
  for (size_t i = 0; i < graph.id.size(); ++i) {
    const Split split = graph.is_valid[i] ? kValid : graph.is_test[i] ? kTest : kTrain;
    nodes.split[static_cast<size_t>(graph.id[i])] = split;
    ++nodes.split_size[split];
  }
  std::vector<size_t> order(graph.id.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(nodes.split[a], nodes.row[a]) < std::pair(nodes.split[b], nodes.row[b]);
  });
  for (size_t i = 0; i < order.size(); ++i) nodes.place[order[i]] = static_cast<NodeId>(i);
  return nodes;
}

std::vector<NodeId> part_begins(const Nodes& nodes) {
  std::vector<NodeId> begins{0};
  const auto add = [&](NodeId size) {
    if (size > 0) begins.push_back(begins.back() + size);
  };
  if (nodes.split_size == kPublishedSplits) {
    std::for_each(kPublishedSizes.begin(), kPublishedSizes.end(), add);
  } else {
    std::for_each(nodes.split_size.begin(), nodes.split_size.end(), add);
  }
  return begins;
}

Graph build_graph(const NodeLink& links, const Nodes& nodes, const std::string& where) {
  std::vector<NodeId> source, target;
  source.reserve(links.source.size());
  target.reserve(links.source.size());
  for (size_t e = 0; e < links.source.size(); ++e) {
    for (const NodeId id : {links.source[e], links.target[e]}) {
      if (id >= nodes.size()) fail(where, ": link ", e, " names node ", id, ", but there are ", nodes.size(), " nodes");
    }
    source.push_back(nodes.place[static_cast<size_t>(links.source[e])]);
    target.push_back(nodes.place[static_cast<size_t>(links.target[e])]);
  }
  const Graph graph = Graph::from_edges(nodes.size(), source, target, {.symmetrise = true});
  try {
    return graph.with_parts(part_begins(nodes));
  } catch (const Error& error) {
    fail(where, ": a link joins two graphs or two splits: ", error.what());
  }
}

at::Tensor read_labels(const std::filesystem::path& path, const Nodes& nodes) {
  const std::string where = path.string();
  const ClassMap map = parse_class_map(MappedFile::open(path)->text(), where);
  check_ids(map.id, nodes.size(), where);
  const auto width = static_cast<int64_t>(map.width);
  at::Tensor labels = at::empty({nodes.size(), width}, at::kFloat);
  const auto* bit = map.bit.data();
  for (const NodeId id : map.id) {
    std::copy(bit, bit + width, labels.data_ptr<float>() + nodes.place[static_cast<size_t>(id)] * width);
    bit += width;
  }
  return labels;
}

at::Tensor read_features(const std::filesystem::path& path, const Nodes& nodes) {
  const at::Tensor stored = read_npy(path);
  if (stored.dim() != 2 || stored.size(0) != nodes.size()) {
    fail(path.string(), ": an array of shape ", stored.sizes(), ", expected [", nodes.size(), ", features]");
  }
  at::Tensor row_of_place = at::empty({nodes.size()}, at::kLong);
  for (size_t id = 0; id < nodes.row.size(); ++id) row_of_place.data_ptr<int64_t>()[nodes.place[id]] = nodes.row[id];
  return stored.to(at::kFloat).index_select(0, row_of_place);
}

void set_names(const Nodes& nodes, Dataset& data) {
  bool plain = true;
  for (size_t id = 0; id < nodes.place.size(); ++id) plain = plain && nodes.place[id] == static_cast<NodeId>(id);
  if (plain) return;
  data.node_names.resize(nodes.place.size());
  for (size_t id = 0; id < nodes.place.size(); ++id) {
    data.node_names[static_cast<size_t>(nodes.place[id])] = std::to_string(id);
  }
}

Dataset load_graphsage(const std::filesystem::path& folder) {
  const std::filesystem::path graph_path = folder / "ppi-G.json", map_path = folder / "ppi-id_map.json";
  const NodeLink links = parse_node_link(MappedFile::open(graph_path)->text(), graph_path.string());
  const IdMap map = parse_id_map(MappedFile::open(map_path)->text(), map_path.string());
  const Nodes nodes = number_nodes(links, map, graph_path.string(), map_path.string());
  Dataset data;
  data.graph = build_graph(links, nodes, graph_path.string());
  data.labels = read_labels(folder / "ppi-class_map.json", nodes);
  data.features = read_features(folder / "ppi-feats.npy", nodes);
  set_names(nodes, data);
  NodeId next = 0;
  for (const auto& [split, list] : {std::pair(kTrain, &data.train), {kValid, &data.valid}, {kTest, &data.test}}) {
    list->resize(static_cast<size_t>(nodes.split_size[split]));
    std::iota(list->begin(), list->end(), next);
    next += nodes.split_size[split];
  }
  return data;
}

}  // namespace

Dataset load_ppi(const std::filesystem::path& folder) {
  const bool graphsage = std::filesystem::exists(folder / "ppi-G.json");
  if (!graphsage && !std::filesystem::exists(folder / "train_graph.json")) {
    fail(folder.string(), ": found neither ppi-G.json (GraphSAGE's files) nor train_graph.json (DGL's files)");
  }
  Dataset data = graphsage ? load_graphsage(folder) : load_ppi_dgl(folder);
  data.name = "ppi";
  data.task = Task::kMultiLabel;
  data.metric = "micro_f1";
  data.num_classes = data.labels.size(1);
  data.inductive = true;
  return data;
}

}  // namespace geniepath
