#include "graph.h"

#include <ATen/ATen.h>

#include <limits>

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

// A vector of ids as int64 on the CPU.
at::Tensor as_ids(const char* name, const at::Tensor& ids) {
  if (!at::isIntegralType(ids.scalar_type(), /*includeBool=*/false)) {
    fail("Graph: ", name, " has dtype ", at::toString(ids.scalar_type()), ", expected integers");
  }
  return ids.detach().to(at::kCPU, at::kLong).contiguous();
}

NodeId checked_num_nodes(int64_t num_nodes) {
  if (num_nodes < 0 || num_nodes >= std::numeric_limits<NodeId>::max()) {
    fail("Graph: num_nodes is ", num_nodes, ", expected 0 to below ", std::numeric_limits<NodeId>::max());
  }
  return static_cast<NodeId>(num_nodes);
}

// int64 ids, checked to lie in 0 .. num_nodes - 1, as the library's 32 bits.
std::vector<NodeId> narrowed(const char* name, const at::Tensor& ids, NodeId num_nodes) {
  const int64_t* id = ids.data_ptr<int64_t>();
  std::vector<NodeId> narrow(static_cast<size_t>(ids.numel()));
  for (int64_t e = 0; e < ids.numel(); ++e) {
    if (id[e] < 0 || id[e] >= num_nodes) {
      fail("Graph: ", name, " of edge ", e, " is ", id[e], ", expected 0 to below ", num_nodes);
    }
    narrow[static_cast<size_t>(e)] = static_cast<NodeId>(id[e]);
  }
  return narrow;
}

// The target of every edge of rows, whose offsets are checked.
std::vector<NodeId> row_numbers(const at::Tensor& offset, NodeId rows, int64_t edges) {
  const int64_t* at = offset.data_ptr<int64_t>();
  if (at[0] != 0 || at[rows] != edges) {
    fail("Graph: offset runs from ", at[0], " to ", at[rows], ", expected 0 to ", edges);
  }
  std::vector<NodeId> target;
  target.reserve(static_cast<size_t>(edges));
  for (NodeId row = 0; row < rows; ++row) {
    if (at[row + 1] < at[row] || at[row + 1] > edges) fail("Graph: offset of row ", row + 1, " is ", at[row + 1]);
    target.insert(target.end(), static_cast<size_t>(at[row + 1] - at[row]), row);
  }
  return target;
}

py::tuple state_of(const PyGraph& graph) {
  const GraphTensors& tensors = graph.on(at::kCPU);
  return py::make_tuple(tensors.in_offset, tensors.in_neighbour);
}

PyGraph graph_of(const py::tuple& state) {
  return PyGraph::from_csr(state[0].cast<at::Tensor>(), state[1].cast<at::Tensor>(), {false, "keep", false});
}

}  // namespace

PyGraph::PyGraph(Graph graph) : graph_(std::move(graph)) {}

PyGraph PyGraph::from_edge_index(const at::Tensor& edge_index, int64_t num_nodes, const EdgeOptions& options) {
  if (edge_index.dim() != 2 || edge_index.size(0) != 2) {
    fail("Graph: edge_index has shape ", c10::str(edge_index.sizes()), ", expected [2, E]");
  }
  const at::Tensor ids = as_ids("edge_index", edge_index);
  if (num_nodes == -1) num_nodes = ids.numel() == 0 ? 0 : ids.max().item<int64_t>() + 1;
  const NodeId nodes = checked_num_nodes(num_nodes);
  const auto source = narrowed("source", ids[0], nodes), target = narrowed("target", ids[1], nodes);
  return PyGraph(Graph::from_edges(nodes, source, target, graph_options(options)));
}

PyGraph PyGraph::from_csr(const at::Tensor& offset, const at::Tensor& source, const EdgeOptions& options) {
  if (offset.dim() != 1 || offset.numel() == 0) fail("Graph: offset has shape ", c10::str(offset.sizes()), ", expected [N + 1]");
  if (source.dim() != 1) fail("Graph: source has shape ", c10::str(source.sizes()), ", expected [E]");
  const at::Tensor begins = as_ids("offset", offset), ids = as_ids("source", source);
  const NodeId nodes = checked_num_nodes(offset.numel() - 1);
  return PyGraph(Graph::from_edges(nodes, narrowed("source", ids, nodes), row_numbers(begins, nodes, ids.numel()),
                                   graph_options(options)));
}

const GraphTensors& PyGraph::on(at::Device device) const {
  const std::lock_guard lock(copies_->mutex);
  auto& there = copies_->by_device;
  const auto cpu = there.try_emplace("cpu", GraphTensors(graph_)).first;
  if (!device.is_cuda()) return cpu->second;  // an operation names any other device
  const auto found = there.find(device.str());
  if (found != there.end()) return found->second;
  return there.emplace(device.str(), cpu->second.to(device)).first->second;
}

at::Tensor PyGraph::edge_index() const {
  const GraphTensors& tensors = on(at::kCPU);
  const at::Tensor target = at::repeat_interleave(tensors.in_offset.diff());
  return at::stack({tensors.in_neighbour.to(at::kLong), target});
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
  const auto tensors = [](const PyGraph& graph) {
    const GraphTensors& on_cpu = graph.on(at::kCPU);
    return std::make_tuple(on_cpu.in_offset, on_cpu.in_neighbour, on_cpu.out_offset, on_cpu.out_neighbour,
                           on_cpu.out_edge);
  };
  py::class_<PyGraph>(module, "Graph",
                      "A graph in compressed rows, checked once and reused: what layers and operations take.")
      .def(py::init(from_edge_index), py::arg("edge_index"), py::arg("num_nodes") = -1, py::kw_only(),
           py::arg("symmetrise") = false, py::arg("self_loops") = "add", py::arg("merge_duplicates") = true, Unlocked())
      .def_static("from_csr", from_csr, py::arg("offset"), py::arg("source"), py::kw_only(),
                  py::arg("symmetrise") = false, py::arg("self_loops") = "add", py::arg("merge_duplicates") = true,
                  Unlocked())
      .def_property_readonly("num_nodes", [](const PyGraph& graph) { return graph.graph().num_nodes(); })
      .def_property_readonly("num_edges", [](const PyGraph& graph) { return graph.graph().num_edges(); })
      .def_property_readonly("edge_index", &PyGraph::edge_index)
      .def("tensors", tensors, "in_offset, in_neighbour, out_offset, out_neighbour, out_edge of torch.ops.geniepath.*")
      .def("__repr__",
           [](const PyGraph& graph) {
             return "Graph(num_nodes=" + std::to_string(graph.graph().num_nodes()) +
                    ", num_edges=" + std::to_string(graph.graph().num_edges()) + ")";
           })
      .def("__copy__", [](const PyGraph& graph) { return graph; })
      .def("__deepcopy__", [](const PyGraph& graph, const py::dict&) { return graph; })
      .def(py::pickle(&state_of, &graph_of));
}

}  // namespace geniepath::python
