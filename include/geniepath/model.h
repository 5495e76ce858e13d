// A model by its name and options: the paper's two, what it is compared with, and the parts they are made of.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
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
  double dropout = 0;
  std::string precision = "f32";

  void visit(OptionVisitor& options) override;
};

std::vector<std::string> model_names();

// What a model sees of one graph: features dense or sparse, and the edges with the paper's N(i) + {i}.
struct ModelInput {
  ModelInput() = default;
  // `graph` as published; self-loops are added here.
  ModelInput(const Features& features, const Graph& graph);

  at::Tensor dense;  // [N, P], undefined where the features are sparse
  SparseTensors sparse;
  GraphTensors graph;
  int64_t num_features() const { return dense.defined() ? dense.size(1) : sparse.columns(); }
};

class Model : public torch::nn::Module {
 public:
  // Scores [N, outputs] before softmax or sigmoid. In train() mode dropout is on; its masks follow from `dropout_key`.
  at::Tensor forward(const ModelInput& input, uint64_t dropout_key = 0);
  // The output layer: representations [M, K] -> scores [M, outputs].
  at::Tensor read_out(const at::Tensor& representation) const;
  // What all models share: dropout, precision and the output layer. make_model calls it.
  void set_up(const ModelConfig& config, int64_t outputs);

 protected:
  // The node representations the output layer reads, [N, K].
  virtual at::Tensor represent(const ModelInput& input) = 0;
  // Called by represent() wherever dropout belongs.
  at::Tensor drop(const at::Tensor& x);

  double dropout_ = 0;
  Precision precision_ = Precision::kF32;
  at::Tensor w_y_, b_y_;

 private:
  uint64_t dropout_key_ = 0;
};

// Weights are drawn by Xavier's rule from `seed`: the same seed, the same model, on any device.
std::shared_ptr<Model> make_model(const ModelConfig& config, int64_t features, int64_t outputs, uint64_t seed);

int64_t num_parameters(const torch::nn::Module& model);

}  // namespace geniepath
