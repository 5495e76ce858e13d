#include "data/formats/csr_arrays.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "data/formats/checked_arrays.h"
#include "geniepath/error.h"
#include "graph/csr.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/pickled_arrays.h"
#include "io/torch_file.h"

namespace geniepath {
namespace {

class ArrayFolder {
 public:
  explicit ArrayFolder(const std::filesystem::path& path) : path_(path) {
    if (!std::filesystem::is_directory(path)) npz_ = NpzFile::open(path);
  }

  const std::filesystem::path& path() const { return path_; }

  bool contains(const std::string& key) const {
    return npz_ ? npz_->contains(key) : std::filesystem::exists(file(key));
  }
  CheckedArray read(const std::string& key) const {
    if (npz_) return {npz_->read(key), path_.string() + ": " + key};
    return {read_npy(file(key)), file(key).string()};
  }
  bool contains_matrix(const std::string& key) const { return npz_ && npz_->contains(key); }
  SparseMatrix read_matrix(const std::string& key) const {
    const std::string where = path_.string() + ": " + key;
    const ZipFile::Content object = npz_->read_object(key);
    const Pickle pickle(object.bytes, where);
    return pickled_csr(pickle, pickled_object(pickle, pickle.root()), where);
  }

 private:
  std::filesystem::path file(const std::string& key) const { return path_ / (key + ".npy"); }

  std::filesystem::path path_;
  std::optional<NpzFile> npz_;
};

int64_t count_of(std::span<const int32_t> ids_used) {
  return ids_used.empty() ? 0 : int64_t{*std::max_element(ids_used.begin(), ids_used.end())} + 1;
}

// Without attr_shape, the largest index determines the number of columns.
Features sparse_features(const ArrayFolder& folder) {
  const CheckedArray begins = folder.read("attr_indptr"), indices = folder.read("attr_indices");
  const CheckedArray values = folder.read("attr_data");
  for (const CheckedArray* array : {&begins, &indices, &values}) array->check_dimensions(1);
  SparseMatrix matrix;
  matrix.offset = begins.integers();
  matrix.column = indices.ids();
  matrix.value = values.floats();
  matrix.rows = matrix.offset.size() - 1;
  matrix.columns = count_of(matrix.column.span());
  if (folder.contains("attr_shape")) {
    const CheckedArray shape = folder.read("attr_shape");
    const SharedArray<int64_t> sizes = shape.integers();
    if (sizes.size() != 2) fail(shape.where, ": ", sizes.size(), " sizes, expected 2");
    matrix.rows = sizes[0];
    matrix.columns = sizes[1];
  }
  check_csr(matrix, begins.where);
  return matrix;
}

// Row i lists the neighbours of node i; an entry of weight 0 is no edge.
Graph graph_of_rows(std::span<const int64_t> offset, std::span<const int32_t> neighbour, const bool* weighs) {
  const auto nodes = static_cast<NodeId>(offset.size() - 1);
  std::vector<NodeId> source, target;
  for (NodeId node = 0; node < nodes; ++node) {
    const auto row = static_cast<size_t>(node);
    for (auto at = static_cast<size_t>(offset[row]); at < static_cast<size_t>(offset[row + 1]); ++at) {
      if (!weighs[at]) continue;
      source.push_back(neighbour[at]);
      target.push_back(node);
    }
  }
  return Graph::from_edges(nodes, source, target, {.symmetrise = true});
}

Graph matrix_graph(const SparseMatrix& matrix, const std::string& where) {
  if (matrix.rows != matrix.columns) {
    fail(where, ": adj_matrix: ", matrix.rows, " rows and ", matrix.columns, " columns, expected a square matrix");
  }
  const std::unique_ptr<bool[]> weighs(new bool[static_cast<size_t>(matrix.num_nonzeros())]);
  std::transform(matrix.value.begin(), matrix.value.end(), weighs.get(), [](float weight) { return weight != 0; });
  return graph_of_rows(matrix.offset.span(), matrix.column.span(), weighs.get());
}

Graph csr_graph(const ArrayFolder& folder) {
  const CheckedArray begins = folder.read("adj_indptr"), indices = folder.read("adj_indices");
  begins.check_dimensions(1);
  indices.check_dimensions(1);
  const SharedArray<int64_t> offset = begins.integers();
  const std::vector<int32_t> neighbour = indices.ids();
  const int64_t nodes = offset.size() - 1;
  check_csr(nodes, nodes, offset.span(), neighbour, begins.where);
  at::Tensor weight = at::ones({static_cast<int64_t>(neighbour.size())}, at::kBool);
  if (folder.contains("adj_data")) {
    const CheckedArray weights = folder.read("adj_data");
    if (!weights.values.sizes().equals(weight.sizes())) {
      fail(weights.where, ": ", weights.values.numel(), " weights for ", neighbour.size(), " entries");
    }
    weight = weights.values.ne(0).contiguous();
  }
  return graph_of_rows(offset.span(), neighbour, weight.data_ptr<bool>());
}

Graph edge_index_graph(const CheckedArray& array, int64_t nodes) {
  array.check_dimensions(2);
  if (array.values.size(0) != 2) fail(array.where, ": ", array.values.size(0), " rows, expected 2: sources, targets");
  if (nodes > kMostArrayNodes) fail(array.where, ": ", nodes, " nodes, but node ids have 32 bits");
  const std::vector<int32_t> ends = array.ids();
  const auto bad = std::find_if(ends.begin(), ends.end(), [&](int32_t id) { return id >= nodes; });
  if (bad != ends.end()) {
    fail(array.where, ": edge ", (bad - ends.begin()) % array.values.size(1), " names node ", *bad, ", but there are ",
         nodes);
  }
  const std::span<const NodeId> all(ends);
  return Graph::from_edges(static_cast<NodeId>(nodes), all.first(all.size() / 2), all.last(all.size() / 2));
}

Features features_of(const ArrayFolder& folder) {
  if (folder.contains_matrix("node_attr")) return folder.read_matrix("node_attr");
  return folder.contains("attr") ? folder.read("attr").dense_features() : sparse_features(folder);
}

CheckedArray labels_of(const ArrayFolder& folder) {
  for (const char* key : {"labels", "node_label"}) {
    if (folder.contains(key)) return folder.read(key);
  }
  return folder.read("label");
}

// The folder if it contains the arrays themselves, else the one file in it with this ending.
std::filesystem::path arrays_in(const std::filesystem::path& path, const char* telltale, const std::string& ending) {
  if (!std::filesystem::is_directory(path) || std::filesystem::exists(path / telltale)) return path;
  std::vector<std::filesystem::path> found;
  for (const auto& file : std::filesystem::directory_iterator(path)) {
    if (file.path().filename().string().ends_with(ending)) found.push_back(file.path());
  }
  return found.size() == 1 ? found[0] : path;
}

// Labels as integers, whatever their type.
CheckedArray whole_labels(CheckedArray labels) {
  const at::Tensor whole = labels.values.to(at::kLong);
  if (at::isFloatingType(labels.values.scalar_type()) && !whole.to(labels.values.scalar_type()).equal(labels.values)) {
    fail(labels.where, ": a label is not a whole number");
  }
  return {whole, labels.where};
}

Dataset edge_index_dataset(const CheckedArray& edge_index, const CheckedArray& x, const CheckedArray& y,
                           const std::string& name) {
  Dataset data;
  data.name = name;
  data.features = x.dense_features();
  // Labels first: rows without features take no room in a file, so only labels bound the number of nodes.
  set_labels(data, y, data.features.num_nodes());
  data.graph = edge_index_graph(edge_index, data.features.num_nodes());
  if (data.num_classes == 2) {
    data.task = Task::kBinary;
    data.metric = "f1";
  }
  return data;
}

// The only member is the file written by torch.save.
Dataset load_zipped_torch_data(const std::filesystem::path& path, const std::string& name) {
  const ZipFile outer = ZipFile::open(path);
  if (outer.members().size() != 1) fail(path.string(), ": ", outer.members().size(), " members, expected one .pt file");
  const ZipFile::Content content = outer.read(outer.members().begin()->first);
  const std::string where = path.string() + ": " + outer.members().begin()->first;
  const auto tensors = read_torch_data(ZipFile::parse(content.bytes, where, content.owner));
  const auto array = [&](const char* key) {
    const auto found = tensors.find(key);
    if (found == tensors.end()) fail(where, ": no tensor '", key, "'");
    return CheckedArray{found->second, where + ": " + key};
  };
  return edge_index_dataset(array("edge_index"), array("x"), whole_labels(array("y")), name);
}

}  // namespace

Dataset load_csr_arrays(const std::filesystem::path& folder_or_npz, const std::string& name) {
  const ArrayFolder folder(arrays_in(folder_or_npz, "adj_indptr.npy", ".npz"));
  Dataset data;
  data.name = name;
  const bool pickled = folder.contains_matrix("adj_matrix");
  data.graph = pickled ? matrix_graph(folder.read_matrix("adj_matrix"), folder.path().string()) : csr_graph(folder);
  data.features = features_of(folder);
  set_labels(data, labels_of(folder), data.graph.num_nodes());
  if (data.features.num_nodes() != data.graph.num_nodes()) {
    fail(folder_or_npz.string(), ": features of ", data.features.num_nodes(), " nodes, but the graph has ",
         data.graph.num_nodes());
  }
  return data;
}

Dataset load_edge_index_arrays(const std::filesystem::path& folder_or_zip, const std::string& name) {
  const std::filesystem::path path = arrays_in(folder_or_zip, "edge_index.npy", ".pt.zip");
  if (!std::filesystem::is_directory(path)) return load_zipped_torch_data(path, name);
  const ArrayFolder folder(path);
  return edge_index_dataset(folder.read("edge_index"), folder.read("x"), folder.read("y"), name);
}

}  // namespace geniepath
