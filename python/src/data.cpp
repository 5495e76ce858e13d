// Data in memory as a graph file, from which a run is trained, resumed and explained like any other.
#include <ATen/ATen.h>

#include "bindings.h"
#include "frame_columns.h"
#include "geniepath/data.h"
#include "geniepath/error.h"
#include "graph.h"
#include "options.h"

namespace geniepath::python {
namespace {

// A view of a contiguous tensor that keeps it alive.
template <class T>
SharedArray<T> shared(const at::Tensor& x) {
  auto held = std::make_shared<at::Tensor>(x.contiguous());
  const std::span<const T> values(held->data_ptr<T>(), static_cast<size_t>(held->numel()));
  return {values, held};
}

// The rows of a sparse matrix: offset, column, value and the number of columns.
using SparseRows = std::tuple<at::Tensor, at::Tensor, at::Tensor, int64_t>;
// A dense matrix, a sparse one, or the columns of a data frame.
using GivenFeatures = std::variant<at::Tensor, SparseRows, std::vector<py::array>>;

Features features_of(const SparseRows& given) {
  const auto& [offset, column, value, columns] = given;
  SparseMatrix matrix;
  matrix.rows = offset.numel() - 1, matrix.columns = columns;
  matrix.offset = shared<int64_t>(offset.to(at::kLong));
  matrix.column = shared<int32_t>(column.to(at::kInt));
  matrix.value = shared<float>(value.to(at::kFloat));
  return Features(std::move(matrix));
}

Features features_of(const GivenFeatures& given) {
  if (std::holds_alternative<at::Tensor>(given)) return Features(std::get<at::Tensor>(given));
  if (std::holds_alternative<SparseRows>(given)) return features_of(std::get<SparseRows>(given));
  return {};
}

FeatureRows rows_of(const GivenFeatures& given) {
  if (!std::holds_alternative<std::vector<py::array>>(given)) return {};
  const FrameColumns columns(std::get<std::vector<py::array>>(given));
  return {columns.count(), [columns](int64_t begin, int64_t end, float* out) { columns.copy_rows(begin, end, out); }};
}

// Rows of the nodes at the ends of edges.
using Ids = py::array_t<int64_t, py::array::c_style>;

std::span<const int64_t> span_of(const Ids& ids) { return {ids.data(), static_cast<size_t>(ids.size())}; }

const char* usual_metric(Task task) {
  switch (task) {
    case Task::kMultiLabel: return "micro_f1";
    case Task::kBinary: return "f1";
    case Task::kMultiClass: break;
  }
  return "accuracy";
}

std::shared_ptr<NewGraphFile> write_data(const std::string& path, const std::string& name, const std::string& task,
                                         const std::pair<Ids, Ids>& ends, int64_t num_nodes, bool symmetrise,
                                         const GivenFeatures& features, const at::Tensor& labels,
                                         const std::vector<std::string>& class_names,
                                         const std::vector<std::string>& node_names,
                                         const std::array<std::vector<NodeId>, 3>& splits,
                                         const std::vector<std::string>& columns) {
  const auto source = span_of(ends.first), target = span_of(ends.second);
  const FeatureRows rows = rows_of(features);
  const py::gil_scoped_release unlocked;
  if (num_nodes >= std::numeric_limits<NodeId>::max())
    fail("train: ", num_nodes, " nodes, but their numbers have 32 bits");
  Dataset data;
  data.name = name;
  data.task = from_string<Task>(task, "task");
  data.metric = usual_metric(data.task);
  data.graph = Graph::from_wide_edges(static_cast<NodeId>(num_nodes), source, target, {.symmetrise = symmetrise});
  data.features = features_of(features);
  data.labels = labels;
  data.class_names = class_names;
  data.num_classes = static_cast<int64_t>(class_names.size());
  data.node_names = node_names;
  data.train = splits[0], data.valid = splits[1], data.test = splits[2];
  return std::make_shared<NewGraphFile>(path, data, columns, rows);
}

// Dense, or PyTorch's sparse coordinates.
at::Tensor matrix_of(const Features& features) {
  if (!features.is_sparse()) return features.dense();
  const SparseTensors rows(features.sparse(), InputUse::kPrediction);
  const at::Tensor row = at::repeat_interleave(rows.offset.diff());
  return at::_sparse_coo_tensor_unsafe(at::stack({row, rows.column.to(at::kLong)}), rows.value,
                                       {rows.rows(), rows.columns()})
      ._coalesced_(true);
}

at::Tensor as_tensor(const std::vector<NodeId>& nodes) { return at::tensor(nodes, at::kInt).to(at::kLong); }

// A data set by the options of `geniepath train`.
py::dict read_data(const OptionTexts& options) {
  Dataset data;
  {
    const py::gil_scoped_release unlocked;
    const RunRequest request = request_of(options);
    data = load_dataset(request.data, request.tables);
  }
  py::dict read;
  read["name"] = data.name, read["task"] = to_string(data.task);
  read["graph"] = PyGraph(data.graph), read["x"] = matrix_of(data.features), read["y"] = data.labels;
  read["train"] = as_tensor(data.train), read["valid"] = as_tensor(data.valid), read["test"] = as_tensor(data.test);
  read["class_names"] = data.class_names, read["node_names"] = data.node_names;
  read["first_nodes"] = data.graph.part_begins();
  return read;
}

}  // namespace

void bind_data(py::module_& module) {
  module.def("read_data", read_data, py::arg("options"));
  py::class_<NewGraphFile, std::shared_ptr<NewGraphFile>>(module, "NewGraphFile")
      .def("finish", &NewGraphFile::finish, Unlocked())
      .def("abandon", &NewGraphFile::abandon, Unlocked());
  module.def("write_data", write_data, py::arg("path"), py::arg("name"), py::arg("task"), py::arg("ends"),
             py::arg("num_nodes"), py::arg("symmetrise"), py::arg("features"), py::arg("labels"),
             py::arg("class_names"), py::arg("node_names"), py::arg("splits"), py::arg("columns"));
}

}  // namespace geniepath::python
