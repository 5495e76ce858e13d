// Data in memory as a graph file, from which a run is trained, resumed and explained like any other.
#include <ATen/ATen.h>

#include "bindings.h"
#include "geniepath/data.h"
#include "geniepath/error.h"
#include "graph.h"

namespace geniepath::python {
namespace {

// A view of a contiguous tensor that keeps it alive.
template <class T>
SharedArray<T> shared(const at::Tensor& x) {
  auto held = std::make_shared<at::Tensor>(x.contiguous());
  const std::span<const T> values(held->data_ptr<T>(), static_cast<size_t>(held->numel()));
  return {values, held};
}

// A dense matrix, or the rows of a sparse one: offset, column, value and the number of columns.
using SparseRows = std::tuple<at::Tensor, at::Tensor, at::Tensor, int64_t>;
using GivenFeatures = std::variant<at::Tensor, SparseRows>;

Features features_of(const GivenFeatures& given) {
  if (std::holds_alternative<at::Tensor>(given)) return Features(std::get<at::Tensor>(given));
  const auto& [offset, column, value, columns] = std::get<SparseRows>(given);
  SparseMatrix matrix;
  matrix.rows = offset.numel() - 1, matrix.columns = columns;
  matrix.offset = shared<int64_t>(offset.to(at::kLong));
  matrix.column = shared<int32_t>(column.to(at::kInt));
  matrix.value = shared<float>(value.to(at::kFloat));
  return Features(std::move(matrix));
}

const char* usual_metric(Task task) {
  switch (task) {
    case Task::kMultiLabel: return "micro_f1";
    case Task::kBinary: return "f1";
    case Task::kMultiClass: break;
  }
  return "accuracy";
}

void write_data(const std::string& path, const std::string& name, const std::string& task, const PyGraph& graph,
                const GivenFeatures& features, const at::Tensor& labels, const std::vector<std::string>& class_names,
                const std::vector<std::string>& node_names, const std::array<std::vector<NodeId>, 3>& splits) {
  Dataset data;
  data.name = name;
  data.task = from_string<Task>(task, "task");
  data.metric = usual_metric(data.task);
  data.graph = graph.graph();
  data.features = features_of(features);
  data.labels = labels;
  data.class_names = class_names;
  data.num_classes = static_cast<int64_t>(class_names.size());
  data.node_names = node_names;
  data.train = splits[0], data.valid = splits[1], data.test = splits[2];
  write_graph_file(path, data);
}

}  // namespace

void bind_data(py::module_& module) {
  module.def("write_data", write_data, py::arg("path"), py::arg("name"), py::arg("task"), py::arg("graph"),
             py::arg("features"), py::arg("labels"), py::arg("class_names"), py::arg("node_names"), py::arg("splits"),
             Unlocked());
}

}  // namespace geniepath::python
