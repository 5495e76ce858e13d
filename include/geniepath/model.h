// A model by its name and options: the paper's two, those it is compared with, and models of one's own.
#pragma once

#include <torch/nn/module.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/features.h"
#include "geniepath/ops.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Skip connection of each hop: kHop adds h^(t) outside the activation, kInput the first hidden units inside.
enum class Residual { kNone, kHop, kInput };
template <>
inline constexpr auto kNames<Residual> =
    names<Residual>({{Residual::kNone, "none"}, {Residual::kHop, "hop"}, {Residual::kInput, "input"}});

// What filters the hops: the paper's LSTM-like gates, GRU-like ones, or nothing.
enum class DepthKind { kLstm, kGru, kIdentity };
template <>
inline constexpr auto kNames<DepthKind> =
    names<DepthKind>({{DepthKind::kLstm, "lstm"}, {DepthKind::kGru, "gru"}, {DepthKind::kIdentity, "identity"}});

// What makes the scores of gcn, chebyshev, graphsage and gat: a linear map of the T-th layer, or that layer itself.
enum class OutputKind { kLinear, kLayer };
template <>
inline constexpr auto kNames<OutputKind> =
    names<OutputKind>({{OutputKind::kLinear, "linear"}, {OutputKind::kLayer, "layer"}});

// Everything a model's equations depend on beside its weights. The defaults are the paper's text.
struct ModelConfig : Options {
  std::string model = "geniepath";  // one of model_names()
  int64_t hidden = 64;
  int64_t depth = 3;
  Residual residual = Residual::kNone;
  DepthKind depth_function = DepthKind::kLstm;
  int64_t lazy_start = 0;
  bool tied = false;
  bool bias = false;
  OutputKind output = OutputKind::kLinear;
  int64_t order = 3;
  std::string heads = "1";
  int64_t lstm_neighbours = 25;
  int64_t sampled_neighbours = 0;
  bool unit_length = false;
  double dropout = 0;
  double input_dropout = 0;
  double attention_dropout = 0;
  Precision precision = Precision::kF32;

  void visit(OptionVisitor& options) override;
};

// What a model sees of one graph: features dense or sparse, and the edges with the paper's N(i) + {i}.
struct ModelInput {
  ModelInput() = default;
  // `graph` as published; self-loops are added here.
  ModelInput(const Features& features, const Graph& graph);
  ModelInput to(at::Device device) const;

  at::Tensor dense;  // [N, P], undefined where the features are sparse
  SparseTensors sparse;
  GraphTensors graph;
  int64_t num_features() const { return dense.defined() ? dense.size(1) : sparse.columns(); }
};

// One forward pass: whether it trains, and then the random masks it draws. Made for each pass anew.
class Pass {
 public:
  Pass() = default;  // a prediction: nothing is dropped
  // A training pass, Pass(7): all its masks follow from the key. A CUDA graph that replays the pass reads the key where
  // it lies, so it may change between replays.
  explicit Pass(const MaskKey& key) : key_(key.base), uses_(key.uses) {}

  bool trains() const { return key_.defined(); }
  at::Tensor drop(const at::Tensor& x, double rate);
  SparseTensors drop(const SparseTensors& x, double rate);
  // For whatever else is drawn at random: a new key per call.
  MaskKey next_key();

 private:
  at::Tensor key_;
  int64_t uses_ = 0;
};

// Const and without state beside its weights: any number of threads may predict with one model. The module's train() and
// eval() have no effect; what is asked for decides.
class Model : public torch::nn::Module {
 public:
  // Scores [N, outputs] before softmax or sigmoid.
  at::Tensor forward(const ModelInput& input) const;
  at::Tensor forward(const ModelInput& input, Pass pass) const;
  // What the output layer reads, [N, K].
  at::Tensor embed(const ModelInput& input, Pass pass = {}) const;
  // The linear output layer: representations [M, K] -> scores [M, outputs].
  at::Tensor read_out(const at::Tensor& representation) const;
  at::Device device() const;
  // Whether forward() queues the same work each time, so that a CUDA graph can replay it.
  virtual bool replayable() const { return true; }
  // What all models share: dropout, precision and the output layer. make_model calls it.
  void set_up(const ModelConfig& config, int64_t outputs);

 protected:
  // The node representations the output layer reads, [N, K].
  virtual at::Tensor represent(const ModelInput& input, Pass& pass) const = 0;
  // The output layer: by default one product with W_y. make_output() registers what output() reads.
  virtual void make_output(const ModelConfig& config, int64_t outputs);
  virtual at::Tensor output(const ModelInput& input, const at::Tensor& h, Pass& pass) const;

  double dropout_ = 0, input_dropout_ = 0;
  Precision precision_ = Precision::kF32;

 private:
  ModelInput with_dropped_features(const ModelInput& input, Pass& pass) const;

  at::Tensor w_y_, b_y_;
};

// Weights are drawn by Xavier's rule from `seed` and their names: the same seed, the same model, on any device.
std::shared_ptr<Model> make_model(const ModelConfig& config, int64_t features, int64_t outputs, uint64_t seed);

// A model of one's own. From then on its name is a value of ModelConfig::model: everything that takes a model by name
// trains, saves and loads it. One that is a PathModel too (path_model.h) is explained.
// `make` registers parameters (register_parameter) whose values are drawn afterwards. The name must be new.
using ModelMaker = std::function<std::shared_ptr<Model>(const ModelConfig& config, int64_t features)>;
void register_model(const std::string& name, ModelMaker make);

// Those that are trained by the gradient of a loss, registered ones included.
std::vector<std::string> model_names();

// node2vec and deepwalk, which are not: one row of numbers per node, learned from random walks.
bool is_walk_model(const std::string& model);

int64_t num_parameters(const torch::nn::Module& model);

}  // namespace geniepath
