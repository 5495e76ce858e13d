// Weights of a model by name, as in best.safetensors.
#pragma once

#include <map>
#include <string>

#include "geniepath/model.h"

namespace geniepath::python {

std::map<std::string, at::Tensor> weights_of(const Model& model);
// An Error names the first weight that is missing, unknown or of another shape.
void set_weights(Model& model, const std::map<std::string, at::Tensor>& weights);

}  // namespace geniepath::python
