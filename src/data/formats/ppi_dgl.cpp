#include "data/formats/ppi_dgl.h"

#include <ATen/ATen.h>

#include <numeric>
#include <set>

#include "base/file.h"
#include "data/formats/ppi_json.h"
#include "geniepath/error.h"
#include "io/npy.h"

namespace geniepath {
namespace {

struct SplitFiles {
  Graph graph;
  at::Tensor features, labels;
};

at::Tensor read_matrix(const std::filesystem::path& path, int64_t rows, int64_t dimensions) {
  at::Tensor values = read_npy(path);
  if (values.dim() != dimensions || values.size(0) != rows) {
    fail(path.string(), ": an array of shape ", values.sizes(), ", expected ", rows, " rows and ", dimensions,
         dimensions == 1 ? " dimension" : " dimensions");
  }
  return values;
}

at::Tensor read_labels(const std::filesystem::path& path, int64_t rows) {
  at::Tensor labels = read_matrix(path, rows, 2).to(at::kFloat);
  if (!((labels == 0) | (labels == 1)).all().item<bool>()) fail(path.string(), ": a label is neither 0 nor 1");
  return labels;
}

// The first row of each graph, and the end.
std::vector<NodeId> read_parts(const std::filesystem::path& path, int64_t rows) {
  const at::Tensor ids = read_matrix(path, rows, 1).to(at::kLong).contiguous();
  const auto* id = ids.data_ptr<int64_t>();
  std::set<int64_t> seen;
  std::vector<NodeId> begins;
  for (int64_t row = 0; row < rows; ++row) {
    if (row > 0 && id[row] == id[row - 1]) continue;
    if (!seen.insert(id[row]).second) {
      fail(path.string(), ": row ", row, ": the rows of graph ", id[row], " are not contiguous");
    }
    begins.push_back(static_cast<NodeId>(row));
  }
  begins.push_back(static_cast<NodeId>(rows));
  return begins;
}

SplitFiles read_split(const std::filesystem::path& folder, const std::string& split) {
  const std::filesystem::path graph_path = folder / (split + "_graph.json");
  const std::string where = graph_path.string();
  const NodeLink links = parse_node_link(MappedFile::open(graph_path)->text(), where);
  const auto rows = static_cast<NodeId>(links.id.size());
  if (rows == 0) fail(where, ": no nodes");
  SplitFiles files;
  files.features = read_matrix(folder / (split + "_feats.npy"), rows, 2).to(at::kFloat);
  files.labels = read_labels(folder / (split + "_labels.npy"), rows);
  std::vector<NodeId> begins = read_parts(folder / (split + "_graph_id.npy"), rows);
  try {
    const Graph whole = Graph::from_edges(rows, links.source, links.target, {.symmetrise = true});
    files.graph = whole.with_parts(std::move(begins));
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return files;
}

at::Tensor stacked(const std::vector<at::Tensor>& parts, const char* what, const std::filesystem::path& folder) {
  for (const at::Tensor& part : parts) {
    if (part.size(1) != parts[0].size(1)) {
      fail(folder.string(), ": the splits have ", parts[0].size(1), " and ", part.size(1), " ", what, " per node");
    }
  }
  return at::cat(parts);
}

}  // namespace

Dataset load_ppi_dgl(const std::filesystem::path& folder) {
  Dataset data;
  std::vector<Graph> graphs;
  std::vector<at::Tensor> features, labels;
  NodeId next = 0;
  for (auto [split, list] : {std::pair("train", &data.train), {"valid", &data.valid}, {"test", &data.test}}) {
    SplitFiles files = read_split(folder, split);
    list->resize(static_cast<size_t>(files.graph.num_nodes()));
    std::iota(list->begin(), list->end(), next);
    next += files.graph.num_nodes();
    graphs.push_back(std::move(files.graph));
    features.push_back(std::move(files.features));
    labels.push_back(std::move(files.labels));
  }
  data.graph = Graph::disjoint_union(graphs);
  data.features = stacked(features, "features", folder);
  data.labels = stacked(labels, "labels", folder);
  return data;
}

}  // namespace geniepath
