// Models of the library by name and options, for loading a run's weights and comparing with the layers of geniepath.nn.
#include "models.h"

#include <ATen/ATen.h>

#include "bindings.h"
#include "geniepath/error.h"
#include "geniepath/model.h"
#include "graph.h"

namespace geniepath::python {

std::map<std::string, at::Tensor> weights_of(const Model& model) {
  std::map<std::string, at::Tensor> weights;
  for (const auto& item : model.named_parameters()) weights[item.key()] = item.value().detach().cpu().clone();
  return weights;
}

void set_weights(Model& model, const std::map<std::string, at::Tensor>& weights) {
  const at::NoGradGuard no_grad;
  size_t known = 0;
  for (auto& item : model.named_parameters()) {
    const auto found = weights.find(item.key());
    if (found == weights.end()) fail("weights: ", item.key(), " is missing");
    if (found->second.sizes() != item.value().sizes()) {
      fail("weights: ", item.key(), " has shape ", c10::str(found->second.sizes()), ", expected ",
           c10::str(item.value().sizes()));
    }
    item.value().copy_(found->second);
    ++known;
  }
  if (known == weights.size()) return;
  for (const auto& [name, weight] : weights) {
    if (model.named_parameters().find(name) == nullptr) fail("weights: ", name, " is not a parameter of the model");
  }
}

void bind_models(py::module_& module) {
  const auto make = [](const std::string& options, int64_t features, int64_t outputs, uint64_t seed) {
    ModelConfig config;
    config.read_json_text(options, "model");
    return make_model(config, features, outputs, seed);
  };
  const auto input = [](const at::Tensor& x, const PyGraph& graph) { return ModelInput(Features(x), graph.graph()); };
  py::class_<ModelInput>(module, "ModelInput", "Features and a graph as the models of the C++ library take them.")
      .def(py::init(input), py::arg("x"), py::arg("graph"), Unlocked());
  const auto forward = [](const Model& model, const ModelInput& of) { return model.forward(of); };
  const auto embed = [](const Model& model, const ModelInput& of) { return model.embed(of); };
  py::class_<Model, std::shared_ptr<Model>>(module, "Model", "A model of the C++ library.")
      .def(py::init(make), py::arg("options"), py::arg("features"), py::arg("outputs"), py::arg("seed") = 1)
      .def("forward", forward, py::arg("input"), Unlocked())
      .def("embed", embed, py::arg("input"), Unlocked())
      .def("weights", &weights_of)
      .def("set_weights", &set_weights, py::arg("weights"));
}

}  // namespace geniepath::python
