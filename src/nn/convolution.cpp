#include "nn/convolution.h"

#include "geniepath/error.h"
#include "nn/parameters.h"

namespace geniepath::nn {
namespace {

std::string layer_name(size_t t) { return "layer_" + std::to_string(t); }

}  // namespace

at::Tensor LayerInput::times(const at::Tensor& w, Precision precision) const {
  if (dense().defined()) return ops::linear(dense(), w, {}, Activation::kNone, precision);
  return ops::sparse_linear(input.sparse, w);
}

ConvolutionLayer::ConvolutionLayer(const ModelConfig& config) : precision_(config.precision) {}

at::Tensor ConvolutionLayer::activate(const at::Tensor& z) const { return at::relu(z); }

ConvolutionStack::ConvolutionStack(const ModelConfig& config, int64_t features, LayerMaker make)
    : make_(make), residual_(config.residual) {
  const bool last_is_output = config.output == OutputKind::kLayer;
  if (last_is_output && config.depth < 2)
    fail("model: output 'layer' needs a depth of 2 or more, found ", config.depth);
  const auto hidden_layers = static_cast<size_t>(last_is_output ? config.depth - 1 : config.depth);
  for (size_t t = 0; t < hidden_layers; ++t) {
    const LayerShape shape{static_cast<int64_t>(t), t == 0 ? features : config.hidden, config.hidden, false};
    layers_.push_back(register_module(layer_name(t), make(config, shape)));
  }
}

template <class See>
at::Tensor ConvolutionStack::run_layers(const ModelInput& input, Pass& pass, See see) const {
  at::Tensor h, first;
  int64_t done = 0;
  for (const auto& layer : layers_) {
    const LayerInput x{input, h, pass.next_key(), pass.trains()};
    see(*layer, x);
    at::Tensor z = layer->forward(x);
    if (first.defined() && residual_ == Residual::kInput) z = z + first;
    at::Tensor next = layer->activate(z);
    if (h.defined() && residual_ == Residual::kHop) next = next + h;
    h = pass.drop(next, dropout_);
    if (!first.defined()) first = h;
    pass.layer_done(++done, std::ssize(layers_));
  }
  return h;
}

at::Tensor ConvolutionStack::represent(const ModelInput& input, Pass& pass) const {
  return run_layers(input, pass, [](const ConvolutionLayer&, const LayerInput&) {});
}

std::vector<at::Tensor> ConvolutionStack::attention(const ModelInput& input) const {
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> alpha;
  const auto see = [&](const ConvolutionLayer& layer, const LayerInput& x) {
    if (at::Tensor seen = layer.attention(x); seen.defined()) alpha.push_back(std::move(seen));
  };
  Pass pass;
  const at::Tensor h = run_layers(input, pass, see);
  if (output_layer_) see(*output_layer_, {input, h, pass.next_key(), false});
  return alpha;
}

// Layers may scale what they read by the degree of its node, a matter of one more row.
int64_t ConvolutionStack::radius() const {
  const int64_t of_layer = layers_.front()->radius();
  return of_layer == kWholeGraph ? kWholeGraph : of_layer * std::ssize(layers_) + (output_layer_ ? of_layer : 0) + 1;
}

void ConvolutionStack::make_output(const ModelConfig& config, int64_t outputs) {
  if (config.output != OutputKind::kLayer) return Model::make_output(config, outputs);
  const LayerShape shape{config.depth - 1, config.hidden, outputs, true};
  output_layer_ = register_module(layer_name(layers_.size()), make_(config, shape));
}

at::Tensor ConvolutionStack::output(const ModelInput& input, const at::Tensor& h, Pass& pass) const {
  if (!output_layer_) return Model::output(input, h, pass);
  return output_layer_->forward({input, h, pass.next_key(), pass.trains()});
}

at::Tensor degree_scale(const GraphTensors& graph, double power, bool with_self, const at::Tensor& x) {
  const at::Tensor all = graph.in_offset.diff() - (with_self ? 0 : 1);
  const at::Tensor degree = all.narrow(0, 0, graph.num_nodes()).to(x.scalar_type());
  return at::where(degree > 0, degree.pow(power), at::zeros_like(degree));
}

}  // namespace geniepath::nn
