#include "geniepath/model.h"

#include <algorithm>

#include "base/registry.h"
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

namespace geniepath {
namespace {

template <class M>
std::shared_ptr<Model> make(const ModelConfig& config, int64_t features) {
  return std::make_shared<M>(config, features);
}

template <class Layer>
std::shared_ptr<Model> make_stack(const ModelConfig& config, int64_t features) {
  return std::make_shared<nn::ConvolutionStack>(config, features, nn::make_layer<Layer>);
}

Registry<ModelMaker>& registry() {
  static Registry<ModelMaker> models("model", {
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
  });
  return models;
}

constexpr const char* kBuiltInModels[] = {"geniepath",      "geniepath-lazy", "mlp",            "gcn",
                                    "gcn-mean",       "chebyshev",      "graphsage-mean", "graphsage-max",
                                    "graphsage-lstm", "gat",            "node2vec",       "deepwalk"};

// Which options the models of this library read, decay-attention of the training among them; a registered model may
// read any.
void declare_models(OptionVisitor& options) {
  std::vector<std::string> registered = registry().names();
  std::erase_if(registered, [](const std::string& name) {
    return std::ranges::find(kBuiltInModels, name) != std::end(kBuiltInModels);
  });
  const auto only_for = [&](std::initializer_list<const char*> names, std::vector<std::string> models) {
    models.insert(models.end(), registered.begin(), registered.end());
    for (const char* name : names) options.only_where(name, {{"model", models}});
  };
  const std::vector<std::string> sage{"graphsage-mean", "graphsage-max", "graphsage-lstm"};
  std::vector<std::string> stacks{"gcn", "gcn-mean", "chebyshev", "gat"};
  stacks.insert(stacks.end(), sage.begin(), sage.end());
  std::vector<std::string> with_hops = stacks;
  with_hops.insert(with_hops.begin(), {"geniepath", "geniepath-lazy"});
  std::vector<std::string> layered = with_hops;
  layered.emplace_back("mlp");
  only_for({"depth", "dropout", "input-dropout"}, layered);
  only_for({"residual", "bias"}, with_hops);
  only_for({"depth-function", "tied", "init", "decay-attention", "layer-norm", "output-bias"},
           {"geniepath", "geniepath-lazy"});
  options.only_where("output-bias", {{"bias", {"false"}}});
  only_for({"lazy-start"}, {"geniepath-lazy"});
  only_for({"output"}, stacks);
  only_for({"order"}, {"chebyshev"});
  only_for({"heads", "attention-dropout", "value-dropout"}, {"gat"});
  only_for({"lstm-neighbours"}, {"graphsage-lstm"});
  only_for({"sampled-neighbours"}, {"graphsage-mean", "graphsage-max"});
  only_for({"unit-length"}, sage);
}

}  // namespace

void register_model(const std::string& name, ModelMaker make) { registry().add(name, std::move(make)); }

std::vector<std::string> model_names() {
  std::vector<std::string> names = registry().names();
  std::erase_if(names, is_walk_model);
  return names;
}

bool is_walk_model(const std::string& model) { return model == "node2vec" || model == "deepwalk"; }

void ModelConfig::visit(OptionVisitor& options) {
  options.choice("model", model, registry().names(), "model to train");
  options.integer("hidden", hidden, {1, 1 << 16}, "width K of every hidden layer");
  options.integer("depth", depth, {1, 1000}, "number of layers T: how many hops a node's receptive field reaches");
  options.choice("residual", residual,
                 "skip connection of each hop: 'hop' adds h^(t) outside the activation, 'input' adds the first hidden "
                 "units inside");
  options.choice("depth-function", depth_function,
                 "filter of the hops: the paper's LSTM-like gates, a GRU-like gate, or none");
  options.integer("lazy-start", lazy_start, {0, 1}, "geniepath-lazy: the first hop its depth function reads");
  options.flag("tied", tied, "tie the attention's two matrices, W_s = W_d (symmetric importance)");
  options.flag("bias", bias, "add biases to every product (the paper has none)");
  options.flag("output-bias", output_bias,
               "geniepath: biases of the output layer, which begin at the labels' frequencies (--init signal); --bias "
               "implies them");
  options.choice("output", output,
                 "of gcn, chebyshev, graphsage and gat: a linear map of the T-th layer, or that layer itself");
  options.integer("order", order, {1, 100}, "chebyshev: degree of the polynomials, hops per layer");
  options.text("heads", heads, "gat: attention heads that share the width K; one number, or one per layer (4,4,6)");
  options.integer("lstm-neighbours", lstm_neighbours, {1, 1000000},
                  "graphsage-lstm: neighbours read, drawn at random where a node has more");
  options.integer(
      "sampled-neighbours", sampled_neighbours, {0, 1000000},
      "graphsage-mean and -max: neighbours read while training, drawn at random where a node has more (0: all)");
  options.flag("unit-length", unit_length, "graphsage: scale the rows of every hidden layer to length 1");
  options.flag("layer-norm", layer_norm,
               "geniepath: normalise each node's hidden units, to mean 0 and variance 1, before every hop reads them");
  options.real("dropout", dropout, {0, 1, true},
               "share of hidden units dropped while training; not 0 where labels are few");
  options.real("input-dropout", input_dropout, {0, 1, true}, "share of input features dropped while training");
  options.real("attention-dropout", attention_dropout, {0, 1, true}, "gat: share of attention weights dropped");
  options.real("value-dropout", value_dropout, {0, 1, true},
               "gat: share dropped of what attention sums, W h, as in its authors' code");
  options.choice("precision", precision,
                 "of operands: f32; TF32 in products on a GPU; or bf16 in products and attention, half the memory");
  options.choice(
      "init", init,
      "how geniepath's weights begin: scaled to the data so that the signal keeps its size through any depth, "
      "or by Xavier's rule alone");
  declare_models(options);
}

ModelInput::ModelInput(const Features& features, const Graph& published, InputUse use)
    : ModelInput(features, GraphTensors(published.with({.self_loops = SelfLoops::kAdd}), use), use) {}

ModelInput::ModelInput(const Features& features, GraphTensors edges, InputUse use) : graph(std::move(edges)) {
  if (features.num_nodes() != graph.num_nodes()) {
    fail("model input: features of ", features.num_nodes(), " nodes, but the graph has ", graph.num_nodes());
  }
  if (features.is_sparse()) {
    sparse = SparseTensors(features.sparse(), use);
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

Pass Pass::watched(LayerProgress progress) {
  Pass pass;
  pass.progress_ = std::move(progress);
  return pass;
}

at::Tensor Pass::drop(const at::Tensor& x, double rate) {
  return trains() && rate > 0 ? ops::dropout(x, rate, next_key()) : x;
}

SparseTensors Pass::drop(const SparseTensors& x, double rate) {
  return trains() && rate > 0 ? ops::dropout(x, rate, next_key()) : x;
}

MaskKey Pass::next_key() { return trains() ? MaskKey(key_, ++uses_) : MaskKey(0); }

at::Device Model::device() const { return parameters().front().device(); }

at::Tensor Model::forward(const ModelInput& input) const { return forward(input, Pass()); }

at::Tensor Model::forward(const ModelInput& input, Pass pass) const {
  const ModelInput seen = with_dropped_features(input, pass);
  return output(seen, represent(seen, pass), pass);
}

at::Tensor Model::embed(const ModelInput& input, Pass pass) const {
  return represent(with_dropped_features(input, pass), pass);
}

ModelInput Model::with_dropped_features(const ModelInput& input, Pass& pass) const {
  ModelInput dropped = input;
  if (input.dense.defined()) {
    dropped.dense = pass.drop(input.dense, input_dropout_);
  } else {
    dropped.sparse = pass.drop(input.sparse, input_dropout_);
  }
  return dropped;
}

at::Tensor Model::read_out(const at::Tensor& representation) const {
  return ops::linear(representation, w_y_, b_y_, Activation::kNone, precision_);
}

at::Tensor Model::output(const ModelInput&, const at::Tensor& h, Pass&) const { return read_out(h); }

namespace {

// The output layer maps K to the labels; the paper does not specify it (docs/paper_map.md).
std::shared_ptr<Model> make_without_values(const ModelConfig& config, int64_t features, int64_t outputs) {
  config.check();
  if (features < 1) fail("model: ", features, " input features, expected 1 or more");
  if (outputs < 1) fail("model: ", outputs, " outputs, expected 1 or more");
  std::shared_ptr<Model> made = registry().at(config.model)(config, features);
  if (made == nullptr) fail("model: the maker of '", config.model, "' returned no model");
  made->set_up(config, outputs);
  return made;
}

}  // namespace

std::shared_ptr<Model> make_model(const ModelConfig& config, int64_t features, int64_t outputs, uint64_t seed) {
  std::shared_ptr<Model> made = make_without_values(config, features, outputs);
  nn::draw_parameters(*made, seed);
  return made;
}

void Model::set_up(const ModelConfig& config, int64_t outputs) {
  dropout_ = config.dropout;
  input_dropout_ = config.input_dropout;
  precision_ = config.precision;
  make_output(config, outputs);
}

void Model::make_output(const ModelConfig& config, int64_t outputs) {
  w_y_ = register_parameter("w_y", nn::matrix(config.hidden, outputs));
  const bool always_biased = config.model == "mlp" || is_walk_model(config.model);
  const bool by_option = config.output_bias && (config.model == "geniepath" || config.model == "geniepath-lazy");
  if (config.bias || always_biased || by_option) b_y_ = register_parameter("b_y", nn::vector(outputs));
}

int64_t num_parameters(const torch::nn::Module& model) {
  int64_t count = 0;
  for (const at::Tensor& parameter : model.parameters()) count += parameter.numel();
  return count;
}

int64_t num_parameters(const ModelConfig& config, int64_t features, int64_t outputs) {
  return num_parameters(*make_without_values(config, features, outputs));
}

}  // namespace geniepath
