// Adam (Kingma and Ba 2014) with L2 in the gradient, weight decay beside it (Loshchilov and Hutter 2019), clipping by
// the global norm, and an average of the weights over the steps.
//
// All weights are stored in one array, and so are their gradients and moments; the parameters become views of it. A
// step is one pass, on a GPU without synchronising with the host. The state is plain tensors, so a checkpoint holds all
// of it and a resumed run continues bit for bit, with any version of LibTorch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "geniepath/train.h"
#include "nn/parameters.h"

namespace geniepath::training {

class Adam {
 public:
  struct Options {
    double l2 = 0;            // adds l2 * w to the gradient of every weight
    double weight_decay = 0;  // a step also takes off this share of the weights, times the learning rate, of matrices,
    bool decay_attention = false;  // except, unless this is set, the attention's W_s and W_d; then also of v
    double clip = 0;     // rescales gradients with a larger global norm to this norm; 0: never
    double average = 0;  // a step leaves this share of the averaged weights, at first none; 0: no average
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  };

  // Moves the parameters into this object's arrays, where their gradients accumulate until a step.
  Adam(nn::NamedTensors parameters, const Options& options);

  // One update by the accumulated gradients, which are then reset to 0.
  void step(double learning_rate);
  // Resets them without an update.
  void forget_gradients() { grad_.zero_(); }
  // The accumulated gradients of all parameters; those of parameter p begin at first(p).
  const at::Tensor& gradients() const { return grad_; }
  const nn::NamedTensors& parameters() const { return parameters_; }
  int64_t first(size_t p) const { return first_[p]; }
  // Global norm of the last step's gradient, before clipping. Waits for a GPU.
  double gradient_norm() const;

  // Swaps the weights and their average, if there is one: twice, they are as before.
  void swap_average();

  // A copy of weights and state, for restore().
  struct Snapshot {
    at::Tensor weight, m, v, average;
    int64_t steps = 0;
  };
  Snapshot snapshot() const;
  void restore(const Snapshot& snapshot);

  int64_t steps() const { return steps_; }
  std::map<std::string, at::Tensor> state() const;  // "adam.m.<name>", "adam.v.<name>", "adam.average.<name>"
  void restore(const std::map<std::string, at::Tensor>& state, int64_t steps);  // an Error if one is missing

 private:
  at::Tensor part(const at::Tensor& flat, size_t p) const;  // parameter p's part of an array, in its shape
  std::vector<std::pair<std::string, at::Tensor>> arrays() const;  // of the state, by their names in a checkpoint

  struct Step {
    double learning_rate, size, v_correction;  // size: with the bias correction of m
    double keep;                               // share of the average that stays
  };
  void step_on_cpu(const Step& step);
  void step_on_gpu(const Step& step);

  nn::NamedTensors parameters_;
  std::vector<int64_t> first_;  // first index of each parameter in the arrays
  at::Tensor weight_, grad_, m_, v_;
  at::Tensor decay_;    // weight decay of every weight; undefined without
  at::Tensor average_;  // undefined without
  at::Tensor norm_, norm_scratch_;
  Options options_;
  int64_t steps_ = 0;
};

Adam::Options adam_options(const TrainConfig& config, int64_t steps_per_epoch);

}  // namespace geniepath::training
