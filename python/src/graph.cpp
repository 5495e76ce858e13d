#include "graph.h"

#include <ATen/ATen.h>

#include "bindings.h"
#include "geniepath/error.h"

namespace geniepath::python {
namespace {

GraphOptions graph_options(const EdgeOptions& options) {
  GraphOptions made{options.symmetrise, SelfLoops::kKeep, options.merge_duplicates};
  if (options.self_loops == "add") {
    made.self_loops = SelfLoops::kAdd;
  } else if (options.self_loops == "remove") {
    made.self_loops = SelfLoops::kRemove;
  } else if (options.self_loops != "keep") {
    fail("Graph: self_loops is '", options.self_loops, "', expected add, keep or remove");
  }
  return made;
}

}  // namespace

PyGraph::PyGraph(Graph graph) : graph_(std::move(graph)) {}

PyGraph PyGraph::from_edge_index(const at::Tensor& edge_index, int64_t num_nodes, const EdgeOptions& options) {
  return PyGraph(graph_from_edge_index(edge_index, num_nodes, graph_options(options)));
}

PyGraph PyGraph::from_csr(const at::Tensor& offset, const at::Tensor& source, const EdgeOptions& options) {
  return PyGraph(graph_from_csr(offset, source, graph_options(options)));
}

const GraphTensors& PyGraph::on(at::Device device) const {
  const c10::InferenceMode with_versions(false);  // by which operators see that they are unchanged
  const std::lock_guard lock(copies_->mutex);
  auto& there = copies_->by_device;
  const auto cpu = there.try_emplace("cpu", GraphTensors(graph_)).first;
  if (!device.is_cuda()) return cpu->second;  // an operation names any other device
  const auto found = there.find(device.str());
  if (found != there.end()) return found->second;
  return there.emplace(device.str(), cpu->second.to(device)).first->second;
}

std::vector<at::Tensor> PyGraph::copied_tensors(at::Device device) const {
  const c10::InferenceMode with_versions(false);
  const GraphTensors& own = on(device);
  const std::lock_guard lock(copies_->mutex);
  std::vector<at::Tensor>& copies = copies_->given_away[own.in_offset.device().str()];
  if (copies.empty()) {
    for (const at::Tensor& x : tensors_of(own)) copies.push_back(x.clone());
  }
  return copies;
}

void bind_graph(py::module_& module) {
  const auto from_edge_index = [](const at::Tensor& edge_index, int64_t num_nodes, bool symmetrise,
                                  const std::string& self_loops, bool merge_duplicates) {
    return PyGraph::from_edge_index(edge_index, num_nodes, {symmetrise, self_loops, merge_duplicates});
  };
  const auto from_csr = [](const at::Tensor& offset, const at::Tensor& source, bool symmetrise,
                           const std::string& self_loops, bool merge_duplicates) {
    return PyGraph::from_csr(offset, source, {symmetrise, self_loops, merge_duplicates});
  };
  const auto own_tensors = [](const PyGraph& graph, const std::string& device) {
    return tensors_of(graph.on(at::Device(device)));
  };
  const auto copied_tensors = [](const PyGraph& graph, const std::string& device) {
    return graph.copied_tensors(at::Device(device));
  };
  py::class_<PyGraph>(module, "Graph",
                      "A graph in compressed rows, checked once and reused: what layers and operations take.")
      .def(py::init(from_edge_index), py::arg("edge_index"), py::arg("num_nodes") = -1, py::kw_only(),
           py::arg("symmetrise") = false, py::arg("self_loops") = "add", py::arg("merge_duplicates") = true, Unlocked())
      .def(py::init(from_csr), py::arg("offset"), py::arg("source"), py::arg("symmetrise"), py::arg("self_loops"),
           py::arg("merge_duplicates"), Unlocked())
      .def(py::init<const PyGraph&>(), py::arg("other"), "The same graph: nothing is copied.")
      .def_property_readonly("num_nodes", [](const PyGraph& graph) { return graph.graph().num_nodes(); })
      .def_property_readonly("num_edges", [](const PyGraph& graph) { return graph.graph().num_edges(); })
      .def("tensors", copied_tensors, py::arg("device") = "cpu", Unlocked(),
           "in_offset, in_neighbour, out_offset, out_neighbour and out_edge of torch.ops.geniepath.*; on a GPU also "
           "its pieces of long rows: copies, the same ones in every call")
      .def("_own_tensors", own_tensors, py::arg("device") = "cpu", Unlocked(),
           "the same in the graph's own memory, not to be changed")
      .def("__repr__", [](const PyGraph& graph) {
        return "Graph(num_nodes=" + std::to_string(graph.graph().num_nodes()) +
               ", num_edges=" + std::to_string(graph.graph().num_edges()) + ")";
      });
}

}  // namespace geniepath::python
