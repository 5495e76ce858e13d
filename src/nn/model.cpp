#include "geniepath/model.h"

#include "base/random.h"
#include "geniepath/error.h"
#include "nn/geniepath.h"
#include "nn/geniepath_lazy.h"
#include "nn/mlp.h"
#include "nn/parameters.h"
#include "ops/precision.h"

namespace geniepath {
namespace {

using Maker = std::shared_ptr<Model> (*)(const ModelConfig&, int64_t features);

template <class M>
std::shared_ptr<Model> make(const ModelConfig& config, int64_t features) {
  return std::make_shared<M>(config, features);
}

struct NamedMaker {
  const char* name;
  Maker make;
};
constexpr NamedMaker kModels[] = {
    {"geniepath", make<nn::GeniePath>},
    {"geniepath-lazy", make<nn::GeniePathLazy>},
    {"mlp", make<nn::Mlp>},
};

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const NamedMaker& model : kModels) names.emplace_back(model.name);
  return names;
}

void ModelConfig::visit(OptionVisitor& options) {
  options.choice("model", model, model_names(), "which model to train");
  options.integer("hidden", hidden, {1, 1 << 16}, "width K of every hidden layer");
  options.integer("depth", depth, {1, 1000}, "number of layers T: how many hops away a node can look");
  options.choice("residual", residual, {"none", "hop", "input"},
                 "skip connection of each hop: 'hop' adds h^(t) outside the tanh, 'input' adds h^(0) inside");
  options.choice("depth-function", depth_function, {"lstm", "gru", "identity"},
                 "what filters the hops: the paper's LSTM-like gates, GRU-like ones, or nothing");
  options.integer("lazy-start", lazy_start, {0, 1}, "geniepath-lazy: the first hop its depth function reads");
  options.flag("tied", tied, "tie the attention's two matrices, W_s = W_d (symmetric importance)");
  options.flag("bias", bias, "add biases to every product (the paper has none)");
  options.real("dropout", dropout, {0, 1, true}, "share of hidden units dropped while training");
  options.choice("precision", precision, {"f32", "bf16"},
                 "operands of products and attention: exact, or half the memory and about 3 digits");
}

ModelInput::ModelInput(const Features& features, const Graph& published)
    : graph(published.with({.self_loops = SelfLoops::kAdd})) {
  if (features.num_nodes() != published.num_nodes()) {
    fail("model input: features of ", features.num_nodes(), " nodes, but the graph has ", published.num_nodes());
  }
  if (features.is_sparse()) {
    sparse = SparseTensors(features.sparse());
  } else {
    dense = features.dense().contiguous();
  }
}

at::Tensor Model::forward(const ModelInput& input, uint64_t dropout_key) {
  dropout_key_ = dropout_key;
  return read_out(represent(input));
}

at::Tensor Model::read_out(const at::Tensor& representation) const {
  return ops::linear(representation, w_y_, b_y_, Activation::kNone, precision_);
}

at::Tensor Model::drop(const at::Tensor& x) {
  if (!is_training() || dropout_ == 0) return x;
  dropout_key_ = RandomStream{dropout_key_, 1}.key();
  return ops::dropout(x, dropout_, dropout_key_);
}

// The output layer maps K to the labels; the paper's text leaves it open (docs/paper_map.md).
std::shared_ptr<Model> make_model(const ModelConfig& config, int64_t features, int64_t outputs, uint64_t seed) {
  config.check();
  if (features < 1) fail("model: ", features, " input features, expected 1 or more");
  if (outputs < 1) fail("model: ", outputs, " outputs, expected 1 or more");
  for (const NamedMaker& model : kModels) {
    if (config.model != model.name) continue;
    std::shared_ptr<Model> made = model.make(config, features);
    made->set_up(config, outputs);
    nn::draw_parameters(*made, seed);
    return made;
  }
  fail("model: '", config.model, "' is unknown");
}

void Model::set_up(const ModelConfig& config, int64_t outputs) {
  dropout_ = config.dropout;
  precision_ = ops::precision_named(config.precision);
  w_y_ = register_parameter("w_y", nn::matrix(config.hidden, outputs));
  if (config.bias || config.model == "mlp") b_y_ = register_parameter("b_y", nn::vector(outputs));
}

int64_t num_parameters(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

}  // namespace geniepath
