// A model by its name and options: the paper's two, what it is compared with, and the parts they are made of.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

#include "geniepath/features.h"
#include "geniepath/ops.h"
#include "geniepath/options.h"

namespace geniepath {

// Everything a model's equations depend on beside its weights. The defaults are the paper's text.
struct ModelConfig : Options {
  std::string model = "geniepath";
  int64_t hidden = 64;
  int64_t depth = 3;
  std::string residual = "none";
  std::string depth_function = "lstm";
  int64_t lazy_start = 0;
  bool tied = false;
  bool bias = false;
  std::string output = "linear";
  int64_t order = 3;
  std::string heads = "1";
  int64_t lstm_neighbours = 25;
  int64_t sampled_neighbours = 0;
  bool unit_length = false;
  double dropout = 0;
  double input_dropout = 0;
  double attention_dropout = 0;
  std::string precision = "f32";

  void visit(OptionVisitor& options) override;
};

// Those that are trained by the gradient of a loss.
std::vector<std::string> model_names();

// node2vec and deepwalk, which are not: a row of numbers a node, learned from random walks.
bool is_walk_model(const std::string& model);

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

class Model : public torch::nn::Module {
 public:
  // Scores [N, outputs] before softmax or sigmoid. In train() mode dropout is on; its masks follow from the dropout key.
  at::Tensor forward(const ModelInput& input);
  at::Tensor forward(const ModelInput& input, uint64_t dropout_key);
  // What the output layer reads, [N, K].
  at::Tensor embed(const ModelInput& input);
  // Takes effect with the next forward() or embed(), also with one that is replayed from a CUDA graph.
  void set_dropout_key(uint64_t key);
  at::Device device() const;
  // Whether forward() queues the same work each time, so that a CUDA graph can replay it.
  virtual bool replayable() const { return true; }
  // The linear output layer: representations [M, K] -> scores [M, outputs].
  at::Tensor read_out(const at::Tensor& representation) const;
  // What all models share: dropout, precision and the output layer. make_model calls it.
  void set_up(const ModelConfig& config, int64_t outputs);

 protected:
  // The node representations the output layer reads, [N, K].
  virtual at::Tensor represent(const ModelInput& input) = 0;
  // The output layer: by default one product with W_y. make_output() registers what output() reads.
  virtual void make_output(const ModelConfig& config, int64_t outputs);
  virtual at::Tensor output(const ModelInput& input, const at::Tensor& h);
  // Called by represent() wherever dropout belongs.
  at::Tensor drop(const at::Tensor& x);
  // A new key for whatever else is drawn at random; a function of the forward call's key.
  MaskKey next_key();

  double dropout_ = 0, input_dropout_ = 0;
  Precision precision_ = Precision::kF32;

 private:
  ModelInput begin(const ModelInput& input);
  ModelInput with_dropped_features(const ModelInput& input);

  at::Tensor w_y_, b_y_;
  at::Tensor dropout_key_;    // int64 [1], where the weights are
  int64_t dropout_uses_ = 0;  // in this forward()
};

// Weights are drawn by Xavier's rule from `seed`: the same seed, the same model, on any device.
std::shared_ptr<Model> make_model(const ModelConfig& config, int64_t features, int64_t outputs, uint64_t seed);

int64_t num_parameters(const torch::nn::Module& model);

}  // namespace geniepath
