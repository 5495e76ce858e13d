#include "data/formats/csr_arrays.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "geniepath/error.h"
#include "graph/csr.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/pickled_arrays.h"
#include "io/torch_file.h"

namespace geniepath {
namespace {

constexpr int64_t kMostNodes = std::numeric_limits<NodeId>::max();

// An array, with its name for messages.
struct Array {
  at::Tensor values;
  std::string where;
};

class ArrayFolder {
 public:
  explicit ArrayFolder(const std::filesystem::path& path) : path_(path) {
    if (!std::filesystem::is_directory(path)) npz_ = NpzFile::open(path);
  }

  const std::filesystem::path& path() const { return path_; }

  bool contains(const std::string& key) const {
    return npz_ ? npz_->contains(key) : std::filesystem::exists(file(key));
  }
  Array read(const std::string& key) const {
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

void check_dimensions(const Array& array, int64_t dimensions) {
  if (array.values.dim() != dimensions) {
    fail(array.where, ": an array of ", array.values.dim(), " dimensions, expected ", dimensions);
  }
}

template <class T>
SharedArray<T> share(const at::Tensor& values) {
  auto owner = std::make_shared<const at::Tensor>(values);
  return {std::span<const T>(owner->template data_ptr<T>(), static_cast<size_t>(owner->numel())), owner};
}

SharedArray<int64_t> integers(const Array& array) {
  if (!c10::isIntegralType(array.values.scalar_type(), /*includeBool=*/false)) {
    fail(array.where, ": dtype ", at::toString(array.values.scalar_type()), ", expected integers");
  }
  return share<int64_t>(array.values.to(at::kLong).contiguous());
}

SharedArray<float> floats(const Array& array) { return share<float>(array.values.to(at::kFloat).contiguous()); }

// Integers in 0 .. 2^31 - 2; an Error names the first outside.
std::vector<int32_t> ids(const Array& array) {
  const SharedArray<int64_t> wide = integers(array);
  const auto bad = std::find_if(wide.begin(), wide.end(), [](int64_t id) { return id < 0 || id >= kMostNodes; });
  if (bad != wide.end()) {
    fail(array.where, ": entry ", bad - wide.begin(), " is ", *bad, ", expected 0 to ", kMostNodes - 1);
  }
  return {wide.begin(), wide.end()};
}

int64_t count_of(std::span<const int32_t> ids_used) {
  return ids_used.empty() ? 0 : int64_t{*std::max_element(ids_used.begin(), ids_used.end())} + 1;
}

// Without attr_shape, the largest index determines the number of columns.
Features sparse_features(const ArrayFolder& folder) {
  const Array begins = folder.read("attr_indptr"), indices = folder.read("attr_indices");
  const Array values = folder.read("attr_data");
  for (const Array* array : {&begins, &indices, &values}) check_dimensions(*array, 1);
  SparseMatrix matrix;
  matrix.offset = integers(begins);
  matrix.column = ids(indices);
  matrix.value = floats(values);
  matrix.rows = matrix.offset.size() - 1;
  matrix.columns = count_of(matrix.column.span());
  if (folder.contains("attr_shape")) {
    const Array shape = folder.read("attr_shape");
    const SharedArray<int64_t> sizes = integers(shape);
    if (sizes.size() != 2) fail(shape.where, ": ", sizes.size(), " sizes, expected 2");
    matrix.rows = sizes[0];
    matrix.columns = sizes[1];
  }
  check_csr(matrix, begins.where);
  return matrix;
}

Features dense_features(const Array& array) {
  check_dimensions(array, 2);
  return Features(array.values.to(at::kFloat).contiguous());
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
  const Array begins = folder.read("adj_indptr"), indices = folder.read("adj_indices");
  check_dimensions(begins, 1);
  check_dimensions(indices, 1);
  const SharedArray<int64_t> offset = integers(begins);
  const std::vector<int32_t> neighbour = ids(indices);
  const int64_t nodes = offset.size() - 1;
  check_csr(nodes, nodes, offset.span(), neighbour, begins.where);
  at::Tensor weight = at::ones({static_cast<int64_t>(neighbour.size())}, at::kBool);
  if (folder.contains("adj_data")) {
    const Array weights = folder.read("adj_data");
    if (!weights.values.sizes().equals(weight.sizes())) {
      fail(weights.where, ": ", weights.values.numel(), " weights for ", neighbour.size(), " entries");
    }
    weight = weights.values.ne(0).contiguous();
  }
  return graph_of_rows(offset.span(), neighbour, weight.data_ptr<bool>());
}

Graph edge_index_graph(const Array& array, int64_t nodes) {
  check_dimensions(array, 2);
  if (array.values.size(0) != 2) fail(array.where, ": ", array.values.size(0), " rows, expected 2: sources, targets");
  if (nodes > kMostNodes) fail(array.where, ": ", nodes, " nodes, but node ids have 32 bits");
  const std::vector<int32_t> ends = ids(array);
  const auto bad = std::find_if(ends.begin(), ends.end(), [&](int32_t id) { return id >= nodes; });
  if (bad != ends.end()) {
    fail(array.where, ": edge ", (bad - ends.begin()) % array.values.size(1), " names node ", *bad, ", but there are ",
         nodes);
  }
  const std::span<const NodeId> all(ends);
  return Graph::from_edges(static_cast<NodeId>(nodes), all.first(all.size() / 2), all.last(all.size() / 2));
}

// Classes run from 0; there cannot be more of them than nodes.
void set_labels(Dataset& data, const Array& array, int64_t nodes) {
  check_dimensions(array, 1);
  const SharedArray<int64_t> labels = integers(array);
  if (labels.size() != nodes) fail(array.where, ": ", labels.size(), " labels for ", nodes, " nodes");
  for (int64_t i = 0; i < nodes; ++i) {
    if (labels[i] < -1 || labels[i] >= nodes) {
      fail(array.where, ": node ", i, " has label ", labels[i], ", expected -1 to ", nodes - 1);
    }
    data.num_classes = std::max(data.num_classes, labels[i] + 1);
  }
  data.labels = array.values.to(at::kLong).contiguous();
}

Features features_of(const ArrayFolder& folder) {
  if (folder.contains_matrix("node_attr")) return folder.read_matrix("node_attr");
  return folder.contains("attr") ? dense_features(folder.read("attr")) : sparse_features(folder);
}

Array labels_of(const ArrayFolder& folder) {
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
Array whole_labels(Array labels) {
  const at::Tensor whole = labels.values.to(at::kLong);
  if (at::isFloatingType(labels.values.scalar_type()) && !whole.to(labels.values.scalar_type()).equal(labels.values)) {
    fail(labels.where, ": a label is not a whole number");
  }
  return {whole, labels.where};
}

Dataset edge_index_dataset(const Array& edge_index, const Array& x, const Array& y, const std::string& name) {
  Dataset data;
  data.name = name;
  data.features = dense_features(x);
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
    return Array{found->second, where + ": " + key};
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
