// ops.h for Python: graphs made once in place of the five tensors of torch.ops.geniepath.*, errors of our own type.
#include <ATen/ATen.h>

#include "bindings.h"
#include "geniepath/error.h"
#include "geniepath/ops.h"
#include "graph.h"

namespace geniepath::python {
namespace {

using OptionalTensor = c10::optional<at::Tensor>;

at::Tensor given(const OptionalTensor& x) { return x.value_or(at::Tensor()); }

Precision precision_named(const std::string& name) { return from_string<Precision>(name, "precision"); }

at::Tensor edge_attention(const PyGraph& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                          const std::string& precision) {
  return ops::edge_attention(graph.on(h.device()), ab, h, v, precision_named(precision));
}

at::Tensor edge_attention_weights(const PyGraph& graph, const at::Tensor& ab, const at::Tensor& v) {
  return ops::edge_attention_weights(graph.on(ab.device()), ab, v);
}

at::Tensor projected_attention(const PyGraph& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                               const std::string& precision) {
  return ops::projected_attention(graph.on(h.device()), h, w, v, precision_named(precision));
}

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const OptionalTensor& bias, bool tanh,
                  const std::string& precision) {
  return ops::linear(x, w, given(bias), tanh ? Activation::kTanh : Activation::kNone, precision_named(precision));
}

std::tuple<at::Tensor, at::Tensor> gated_memory(const at::Tensor& x, const at::Tensor& w, const OptionalTensor& mu,
                                                const OptionalTensor& bias, const OptionalTensor& memory,
                                                const std::string& precision) {
  return ops::gated_memory(x, given(mu), w, given(bias), given(memory), precision_named(precision));
}

at::Tensor dropout(const at::Tensor& x, double rate, uint64_t key) { return ops::dropout(x, rate, key); }

at::Tensor neighbour_sum(const PyGraph& graph, const at::Tensor& h, const OptionalTensor& destination_scale,
                         const OptionalTensor& source_scale) {
  return ops::neighbour_sum(graph.on(h.device()), h, given(destination_scale), given(source_scale));
}

at::Tensor neighbour_max(const PyGraph& graph, const at::Tensor& h, bool skip_self) {
  return ops::neighbour_max(graph.on(h.device()), h, skip_self);
}

at::Tensor gat_attention(const PyGraph& graph, const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                         double negative_slope, double dropout, uint64_t key) {
  return ops::gat_attention(graph.on(h.device()), dst, src, h, {negative_slope, dropout, key});
}

}  // namespace

void bind_operations(py::module_& module) {
  const auto precision = py::arg("precision") = "f32";
  module.def("edge_attention", edge_attention, py::arg("graph"), py::arg("ab"), py::arg("h"), py::arg("v"), precision,
             Unlocked());
  module.def("edge_attention_weights", edge_attention_weights, py::arg("graph"), py::arg("ab"), py::arg("v"),
             Unlocked());
  module.def("projected_attention", projected_attention, py::arg("graph"), py::arg("h"), py::arg("w"), py::arg("v"),
             precision, Unlocked());
  module.def("linear", linear, py::arg("x"), py::arg("w"), py::arg("bias") = py::none(), py::arg("tanh") = false,
             precision, Unlocked());
  module.def("gated_memory", gated_memory, py::arg("x"), py::arg("w"), py::arg("mu") = py::none(),
             py::arg("bias") = py::none(), py::arg("memory") = py::none(), precision, Unlocked());
  module.def("dropout", dropout, py::arg("x"), py::arg("rate"), py::arg("key"), Unlocked());
  module.def("tanh", ops::tanh, py::arg("x"), Unlocked());
  module.def("sigmoid", ops::sigmoid, py::arg("x"), Unlocked());
  module.def("neighbour_sum", neighbour_sum, py::arg("graph"), py::arg("h"), py::arg("destination_scale") = py::none(),
             py::arg("source_scale") = py::none(), Unlocked());
  module.def("neighbour_max", neighbour_max, py::arg("graph"), py::arg("h"), py::arg("skip_self") = false, Unlocked());
  module.def("gat_attention", gat_attention, py::arg("graph"), py::arg("dst"), py::arg("src"), py::arg("h"),
             py::arg("negative_slope") = 0.2, py::arg("dropout") = 0.0, py::arg("key") = 0, Unlocked());
}

}  // namespace geniepath::python
