#include "geniepath/model.h"

#include "geniepath/error.h"
#include "nn/chebyshev.h"
#include "nn/convolution.h"
#include "nn/gat.h"
#include "nn/gcn.h"
#include "nn/geniepath.h"
#include "nn/geniepath_lazy.h"
#include "nn/graphsage.h"
#include "nn/graphsage_lstm.h"
#include "nn/mlp.h"
#include "nn/node_embedding.h"
#include "nn/parameters.h"
#include "ops/precision.h"

namespace geniepath {
namespace {

using Maker = std::shared_ptr<Model> (*)(const ModelConfig&, int64_t features);

template <class M>
std::shared_ptr<Model> make(const ModelConfig& config, int64_t features) {
  return std::make_shared<M>(config, features);
}

template <class Layer>
std::shared_ptr<Model> make_stack(const ModelConfig& config, int64_t features) {
  return std::make_shared<nn::ConvolutionStack>(config, features, nn::make_layer<Layer>);
}

struct NamedMaker {
  const char* name;
  Maker make;
};
constexpr NamedMaker kModels[] = {
    {"geniepath", make<nn::GeniePath>},
    {"geniepath-lazy", make<nn::GeniePathLazy>},
    {"mlp", make<nn::Mlp>},
    {"gcn", make_stack<nn::GcnLayer>},
    {"gcn-mean", make_stack<nn::GcnMeanLayer>},
    {"chebyshev", make_stack<nn::ChebyshevLayer>},
    {"graphsage-mean", make_stack<nn::SageMeanLayer>},
    {"graphsage-max", make_stack<nn::SageMaxLayer>},
    {"graphsage-lstm", make_stack<nn::SageLstmLayer>},
    {"gat", make_stack<nn::GatLayer>},
    {"node2vec", make<nn::NodeEmbedding>},
    {"deepwalk", make<nn::NodeEmbedding>},
};

}  // namespace

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const NamedMaker& model : kModels) {
    if (!is_walk_model(model.name)) names.emplace_back(model.name);
  }
  return names;
}

bool is_walk_model(const std::string& model) { return model == "node2vec" || model == "deepwalk"; }

void ModelConfig::visit(OptionVisitor& options) {
  std::vector<std::string> names;
  for (const NamedMaker& known : kModels) names.emplace_back(known.name);
  options.choice("model", model, names, "which model to train");
  options.integer("hidden", hidden, {1, 1 << 16}, "width K of every hidden layer");
  options.integer("depth", depth, {1, 1000}, "number of layers T: how many hops away a node can look");
  options.choice("residual", residual, {"none", "hop", "input"},
                 "skip connection of each hop: 'hop' adds h^(t) outside the activation, 'input' the first hidden units "
                 "inside");
  options.choice("depth-function", depth_function, {"lstm", "gru", "identity"},
                 "what filters the hops: the paper's LSTM-like gates, GRU-like ones, or nothing");
  options.integer("lazy-start", lazy_start, {0, 1}, "geniepath-lazy: the first hop its depth function reads");
  options.flag("tied", tied, "tie the attention's two matrices, W_s = W_d (symmetric importance)");
  options.flag("bias", bias, "add biases to every product (the paper has none)");
  options.choice("output", output, {"linear", "layer"},
                 "of gcn, chebyshev, graphsage and gat: a linear map of the T-th layer, or the T-th layer itself");
  options.integer("order", order, {1, 100}, "chebyshev: degree of the polynomials, hops a layer");
  options.text("heads", heads, "gat: attention heads that share the width K; one number, or one a layer as 4,4,6");
  options.integer("lstm-neighbours", lstm_neighbours, {1, 1000000},
                  "graphsage-lstm: neighbours read, drawn at random where a node has more");
  options.integer("sampled-neighbours", sampled_neighbours, {0, 1000000},
                  "graphsage-mean and -max: neighbours read while training, drawn at random where a node has more (0: all)");
  options.flag("unit-length", unit_length, "graphsage: scale the rows of every hidden layer to length 1");
  options.real("dropout", dropout, {0, 1, true}, "share of hidden units dropped while training");
  options.real("input-dropout", input_dropout, {0, 1, true}, "share of input features dropped while training");
  options.real("attention-dropout", attention_dropout, {0, 1, true}, "gat: share of attention weights dropped");
  options.choice("precision", precision, {"f32", "tf32", "bf16"},
                 "operands: exact; products in TF32 on a GPU; or products and attention in bf16, half the memory");
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

ModelInput ModelInput::to(at::Device device) const {
  ModelInput there;
  if (dense.defined()) {
    there.dense = dense.to(device);
  } else {
    there.sparse = sparse.to(device);
  }
  there.graph = graph.to(device);
  return there;
}

at::Device Model::device() const { return parameters().front().device(); }

void Model::set_dropout_key(uint64_t key) {
  const at::Device where = device();
  if (!dropout_key_.defined() || dropout_key_.device() != where) {
    dropout_key_ = at::empty({1}, at::TensorOptions(at::kLong).device(where));
  }
  dropout_key_.fill_(static_cast<int64_t>(key));
}

ModelInput Model::begin(const ModelInput& input) {
  if (!dropout_key_.defined() || dropout_key_.device() != device()) set_dropout_key(0);
  dropout_uses_ = 0;
  return is_training() && input_dropout_ > 0 ? with_dropped_features(input) : input;
}

at::Tensor Model::forward(const ModelInput& input) {
  const ModelInput seen = begin(input);
  return output(seen, represent(seen));
}

at::Tensor Model::embed(const ModelInput& input) { return represent(begin(input)); }

at::Tensor Model::forward(const ModelInput& input, uint64_t dropout_key) {
  set_dropout_key(dropout_key);
  return forward(input);
}

ModelInput Model::with_dropped_features(const ModelInput& input) {
  ModelInput dropped = input;
  const MaskKey key = next_key();
  if (input.dense.defined()) {
    dropped.dense = ops::dropout(input.dense, input_dropout_, key);
  } else {
    dropped.sparse = ops::dropout(input.sparse, input_dropout_, key);
  }
  return dropped;
}

at::Tensor Model::read_out(const at::Tensor& representation) const {
  return ops::linear(representation, w_y_, b_y_, Activation::kNone, precision_);
}

at::Tensor Model::output(const ModelInput&, const at::Tensor& h) { return read_out(h); }

MaskKey Model::next_key() { return {dropout_key_, ++dropout_uses_}; }

at::Tensor Model::drop(const at::Tensor& x) {
  if (!is_training() || dropout_ == 0) return x;
  return ops::dropout(x, dropout_, next_key());
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
  input_dropout_ = config.input_dropout;
  precision_ = ops::precision_named(config.precision);
  make_output(config, outputs);
}

void Model::make_output(const ModelConfig& config, int64_t outputs) {
  w_y_ = register_parameter("w_y", nn::matrix(config.hidden, outputs));
  const bool always_biased = config.model == "mlp" || is_walk_model(config.model);
  if (config.bias || always_biased) b_y_ = register_parameter("b_y", nn::vector(outputs));
}

int64_t num_parameters(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

}  // namespace geniepath
