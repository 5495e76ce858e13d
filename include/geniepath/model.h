// Models by name and options: the paper's two, its baselines, and your own.
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

// Skip connection of each hop: kHop adds h^(t) outside the activation, kInput adds the first hidden units inside.
enum class Residual { kNone, kHop, kInput };
template <>
inline constexpr auto kNames<Residual> =
    names<Residual>({{Residual::kNone, "none"}, {Residual::kHop, "hop"}, {Residual::kInput, "input"}});

// Depth function, which filters the hops: the paper's LSTM-like gates, a GRU-like gate, or none.
enum class DepthKind { kLstm, kGru, kIdentity };
template <>
inline constexpr auto kNames<DepthKind> =
    names<DepthKind>({{DepthKind::kLstm, "lstm"}, {DepthKind::kGru, "gru"}, {DepthKind::kIdentity, "identity"}});

// Output layer of gcn, chebyshev, graphsage and gat: a linear map of the T-th layer, or the T-th layer itself.
enum class OutputKind { kLinear, kLayer };
template <>
inline constexpr auto kNames<OutputKind> =
    names<OutputKind>({{OutputKind::kLinear, "linear"}, {OutputKind::kLayer, "layer"}});

// How the weights of geniepath and geniepath-lazy begin: by Xavier's rule, then scaled by one forward pass over the
// training data so that the signal keeps its size through any depth and attention begins uneven; or by Xavier's rule
// alone.
enum class Init { kSignal, kXavier };
template <>
inline constexpr auto kNames<Init> = names<Init>({{Init::kSignal, "signal"}, {Init::kXavier, "xavier"}});

// Everything but the weights that a model's equations depend on. Defaults follow the paper's text.
struct ModelConfig : Options {
  std::string model = "geniepath";  // one of model_names(), node2vec or deepwalk
  int64_t hidden = 64;
  int64_t depth = 3;
  Residual residual = Residual::kNone;
  DepthKind depth_function = DepthKind::kLstm;
  int64_t lazy_start = 0;
  bool tied = false;
  bool bias = false;
  bool output_bias = true;
  OutputKind output = OutputKind::kLinear;
  int64_t order = 3;
  std::string heads = "1";
  int64_t lstm_neighbours = 25;
  int64_t sampled_neighbours = 0;
  bool unit_length = false;
  bool layer_norm = false;
  double dropout = 0;
  double input_dropout = 0;
  double attention_dropout = 0;
  double value_dropout = 0;
  Precision precision = Precision::kF32;
  Init init = Init::kSignal;

  void visit(OptionVisitor& options) override;
};

// A model's input: features, dense or sparse, and the edges of the paper's N(i) + {i}.
struct ModelInput {
  ModelInput() = default;
  // Adds self-loops to `graph`. An Error unless both have as many nodes.
  ModelInput(const Features& features, const Graph& graph, InputUse use = InputUse::kTraining);
  // Takes a graph that has its self-loops.
  ModelInput(const Features& features, GraphTensors graph, InputUse use);
  ModelInput to(at::Device device) const;

  at::Tensor dense;  // [N, P]; undefined if the features are sparse
  SparseTensors sparse;
  GraphTensors graph;
  int64_t num_features() const { return dense.defined() ? dense.size(1) : sparse.columns(); }
};

// Progress of a prediction, called after every layer: `done` of `layers`.
using LayerProgress = std::function<void(int64_t done, int64_t layers)>;

// The mode of one forward pass: prediction, or training with its random masks. Use a new one for each pass.
class Pass {
 public:
  Pass() = default;  // prediction: nothing is dropped
  // Training, e.g. Pass(7): the key determines all masks. A CUDA graph that replays the pass reads the key from the
  // key's tensor, so it may change between replays.
  explicit Pass(const MaskKey& key) : key_(key.base), uses_(key.uses) {}
  // Prediction that reports its progress.
  static Pass watched(LayerProgress progress);

  bool trains() const { return key_.defined(); }
  at::Tensor drop(const at::Tensor& x, double rate);
  SparseTensors drop(const SparseTensors& x, double rate);
  // A new key per call, for other random draws.
  MaskKey next_key();
  // For models: after every layer.
  void layer_done(int64_t done, int64_t layers) const {
    if (progress_) progress_(done, layers);
  }

 private:
  at::Tensor key_;
  int64_t uses_ = 0;
  LayerProgress progress_;
};

// The weights are a model's only state, and all methods but set_up() are const: any number of threads may predict with
// one model. The module's train() and eval() have no effect; the Pass decides.
class Model : public torch::nn::Module {
 public:
  // Scores before softmax or sigmoid, [N, outputs].
  at::Tensor forward(const ModelInput& input) const;
  at::Tensor forward(const ModelInput& input, Pass pass) const;
  // The input of the output layer, [N, K].
  at::Tensor embed(const ModelInput& input, Pass pass = {}) const;
  // The linear output layer: representations [M, K] -> scores [M, outputs].
  at::Tensor read_out(const at::Tensor& representation) const;
  at::Device device() const;
  // Whether forward() queues the same GPU work each time, so that a CUDA graph can replay it.
  virtual bool replayable() const { return true; }
  // Whether a training pass gives the scores of a prediction, since nothing is dropped or drawn: one pass then serves
  // both.
  bool trains_as_it_predicts() const { return dropout_ == 0 && input_dropout_ == 0 && !draws(); }
  // A node's score depends on the features of nodes at most this many steps upstream, on the rows of those nearer than
  // that, and on the order of nodes but not on their numbers. kWholeGraph, the default: it may depend on anything.
  static constexpr int64_t kWholeGraph = -1;
  virtual int64_t radius() const { return kWholeGraph; }
  // Sets what all models share: dropout, precision and the output layer. Called by make_model().
  void set_up(const ModelConfig& config, int64_t outputs);

 protected:
  // Whether a training pass differs from a prediction by more than the dropout of set_up(). By default it may.
  virtual bool draws() const { return true; }
  // Node representations, the input of the output layer: [N, K].
  virtual at::Tensor represent(const ModelInput& input, Pass& pass) const = 0;
  // The output layer, by default one product with W_y. make_output() registers the parameters of output().
  virtual void make_output(const ModelConfig& config, int64_t outputs);
  virtual at::Tensor output(const ModelInput& input, const at::Tensor& h, Pass& pass) const;

  double dropout_ = 0, input_dropout_ = 0;
  Precision precision_ = Precision::kF32;

 private:
  ModelInput with_dropped_features(const ModelInput& input, Pass& pass) const;

  at::Tensor w_y_, b_y_;
};

// Makes a model on the CPU. Weights are drawn by Xavier's rule as a function of `seed` and their names; biases are 0.
// Options out of bounds or an unknown model are an Error.
std::shared_ptr<Model> make_model(const ModelConfig& config, int64_t features, int64_t outputs, uint64_t seed);

// Registers your own model. From then on its name is a value of ModelConfig::model, and everything that takes a model
// by name trains, saves and loads it; one that is also a PathModel (path_model.h) can be explained. `make` registers
// parameters (register_parameter), whose values make_model() draws. A name in use is an Error. Safe to call from any
// thread.
using ModelMaker = std::function<std::shared_ptr<Model>(const ModelConfig& config, int64_t features)>;
void register_model(const std::string& name, ModelMaker make);

// Models trained by gradient descent on a loss, including registered ones.
std::vector<std::string> model_names();

// The others, node2vec and deepwalk: one embedding row per node, learned from random walks.
bool is_walk_model(const std::string& model);

int64_t num_parameters(const torch::nn::Module& model);
// The same for the model that make_model() would make.
int64_t num_parameters(const ModelConfig& config, int64_t features, int64_t outputs);

}  // namespace geniepath
