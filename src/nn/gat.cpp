#include "nn/gat.h"

#include <charconv>

#include "geniepath/error.h"
#include "nn/parameters.h"
#include "ops/activation.h"
#include "ops/add_bias.h"

namespace geniepath::nn {
namespace {

std::vector<int64_t> parse_heads(const std::string& text) {
  std::vector<int64_t> heads;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    int64_t number = 0;
    const auto [last, problem] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (problem != std::errc() || last != text.data() + end || number < 1 || number > 1000) {
      fail("heads: expected numbers from 1 to 1000 separated by commas, found '", text, "'");
    }
    heads.push_back(number);
    begin = end + 1;
  }
  return heads;
}

// [heads, width] to [heads * width, heads]: column h holds a[h] in the rows of head h and zeros elsewhere.
at::Tensor head_columns(const at::Tensor& a) {
  const int64_t heads = a.size(0);
  return (a.unsqueeze(2) * at::eye(heads, a.options()).unsqueeze(1)).reshape({-1, heads});
}

// A key other than that of the weights' mask and those that the pass draws.
MaskKey value_key(const MaskKey& key) {
  constexpr int64_t kOther = 0x5bd1e9955bd1e995;
  return {key.base.bitwise_xor(kOther), key.uses};
}

}  // namespace

int64_t heads_of_layer(const ModelConfig& config, int64_t t) {
  const std::vector<int64_t> heads = parse_heads(config.heads);
  if (heads.size() == 1) return heads[0];
  if (static_cast<int64_t>(heads.size()) != config.depth) {
    fail("heads: '", config.heads, "' is for ", heads.size(), " layers, but the depth is ", config.depth);
  }
  return heads[static_cast<size_t>(t)];
}

GatLayer::GatLayer(const ModelConfig& config, const LayerShape& shape)
    : ConvolutionLayer(config),
      heads_(heads_of_layer(config, shape.t)),
      width_(shape.is_output ? shape.outputs : shape.outputs / heads_),
      averages_(shape.is_output),
      attention_dropout_(config.attention_dropout),
      value_dropout_(config.value_dropout) {
  if (!averages_ && shape.outputs % heads_ != 0) {
    fail("heads: ", heads_, " heads do not divide a width of ", shape.outputs, " evenly");
  }
  w_ = register_parameter("w", matrix(shape.inputs, heads_ * width_));
  a_dst_ = register_parameter("a_dst", matrix(heads_, width_));
  a_src_ = register_parameter("a_src", matrix(heads_, width_));
  if (config.bias) b_ = register_parameter("b", vector(shape.outputs));
}

at::Tensor GatLayer::scores(const LayerInput& x) const {
  const at::Tensor a = at::cat({head_columns(a_dst_), head_columns(a_src_)}, 1);
  return x.times(ops::linear(w_, a, {}, Activation::kNone, Precision::kF32), Precision::kF32);
}

at::Tensor GatLayer::forward(const LayerInput& x) const {
  at::Tensor g = x.times(w_, precision_);
  const at::Tensor s = scores(x);
  if (x.trains && value_dropout_ > 0) g = ops::dropout(g, value_dropout_, value_key(x.key));
  const ops::GatOptions options{.dropout = x.trains ? attention_dropout_ : 0, .dropout_key = x.key};
  at::Tensor z = ops::gat_attention(x.graph(), s.narrow(1, 0, heads_), s.narrow(1, heads_, heads_), g, options);
  if (averages_) z = z.view({z.size(0), heads_, width_}).mean(1);
  return ops::add_bias(z, b_);
}

at::Tensor GatLayer::attention(const LayerInput& x) const {
  const at::Tensor s = scores(x);
  return ops::gat_attention_weights(x.graph(), s.narrow(1, 0, heads_), s.narrow(1, heads_, heads_)).mean(1);
}

at::Tensor GatLayer::activate(const at::Tensor& z) const { return ops::elu(z); }

}  // namespace geniepath::nn
