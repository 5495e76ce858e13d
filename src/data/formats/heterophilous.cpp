#include "data/formats/heterophilous.h"

#include <ATen/ATen.h>

#include "data/formats/checked_arrays.h"
#include "geniepath/error.h"
#include "io/npz.h"

namespace geniepath {
namespace {

Graph undirected_pairs(const CheckedArray& edges, int64_t nodes) {
  edges.check_dimensions(2);
  if (edges.values.size(1) != 2) fail(edges.where, ": ", edges.values.size(1), " columns, expected 2");
  if (nodes > kMostArrayNodes) fail(edges.where, ": ", nodes, " nodes, but node ids have 32 bits");
  const std::vector<int32_t> ends = edges.ids();
  std::vector<NodeId> source, target;
  source.reserve(ends.size() / 2);
  target.reserve(ends.size() / 2);
  for (size_t at = 0; at < ends.size(); ++at) {
    if (ends[at] >= nodes) fail(edges.where, ": edge ", at / 2, " names node ", ends[at], ", but there are ", nodes);
    (at % 2 == 0 ? source : target).push_back(ends[at]);
  }
  return Graph::from_edges(static_cast<NodeId>(nodes), source, target, {.symmetrise = true});
}

// The nodes in row `split` of masks [S, N]; `taken` is the part of the split that each node is in, or null.
std::vector<NodeId> masked_nodes(const CheckedArray& masks, int64_t split, const char* part,
                                 std::vector<const char*>& taken) {
  masks.check_dimensions(2);
  if (masks.values.scalar_type() != at::kBool) {
    fail(masks.where, ": dtype ", at::toString(masks.values.scalar_type()), ", expected bool");
  }
  if (masks.values.size(1) != std::ssize(taken)) {
    fail(masks.where, ": masks of ", masks.values.size(1), " nodes, expected ", taken.size());
  }
  if (split < 0 || split >= masks.values.size(0)) {
    fail(masks.where, ": no split ", split, ": expected 0 to ", masks.values.size(0) - 1);
  }
  const at::Tensor row = masks.values.select(0, split).contiguous();
  std::vector<NodeId> nodes;
  for (size_t node = 0; node < taken.size(); ++node) {
    if (!row.data_ptr<bool>()[node]) continue;
    if (taken[node] != nullptr) fail(masks.where, ": node ", node, " is in ", part, " and in ", taken[node]);
    taken[node] = part;
    nodes.push_back(static_cast<NodeId>(node));
  }
  return nodes;
}

}  // namespace

bool is_heterophilous(const std::filesystem::path& npz) {
  const NpzFile file = NpzFile::open(npz);
  return file.contains("node_features") && file.contains("train_masks");
}

Dataset load_heterophilous(const std::filesystem::path& folder_or_npz, const std::string& name, int64_t split) {
  const bool folder = std::filesystem::is_directory(folder_or_npz);
  const std::filesystem::path path = folder ? folder_or_npz / (name + ".npz") : folder_or_npz;
  const NpzFile file = NpzFile::open(path);
  const auto array = [&](const char* key) { return CheckedArray{file.read(key), path.string() + ": " + key}; };
  Dataset data;
  data.name = name;
  data.features = array("node_features").dense_features();
  const int64_t nodes = data.features.num_nodes();
  // Labels first: rows without features take no room in a file, so only labels bound the number of nodes.
  set_labels(data, array("node_labels"), nodes);
  data.graph = undirected_pairs(array("edges"), nodes);
  std::vector<const char*> taken(static_cast<size_t>(nodes), nullptr);
  data.train = masked_nodes(array("train_masks"), split, "train", taken);
  data.valid = masked_nodes(array("val_masks"), split, "val", taken);
  data.test = masked_nodes(array("test_masks"), split, "test", taken);
  if (data.num_classes == 2) {
    data.task = Task::kBinary;
    data.metric = "roc_auc";
  }
  return data;
}

}  // namespace geniepath
