// Adam (Kingma and Ba 2014) with L2 in the gradient and clipping by the global norm.
//
// All weights are stored in one array, and so are their gradients and moments; the parameters become views of it. A
// step is one pass, on a GPU without synchronising with the host. The state is plain tensors, so a checkpoint holds all
// of it and a resumed run continues bit for bit, with any version of LibTorch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nn/parameters.h"

namespace geniepath::training {

class Adam {
 public:
  struct Options {
    double l2 = 0;    // adds l2 * w to the gradient of every weight
    double clip = 0;  // rescales gradients with a larger global norm to this norm; 0: never
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  };

  // Moves the parameters into this object's arrays, where their gradients accumulate until a step.
  Adam(nn::NamedTensors parameters, const Options& options);

  // One update by the accumulated gradients, which are then reset to 0.
  void step(double learning_rate);
  // Global norm of the last step's gradient, before clipping. Waits for a GPU.
  double gradient_norm() const;

  // A copy of weights and state, for restore().
  struct Snapshot {
    at::Tensor weight, m, v;
    int64_t steps = 0;
  };
  Snapshot snapshot() const { return {weight_.clone(), m_.clone(), v_.clone(), steps_}; }
  void restore(const Snapshot& snapshot);

  int64_t steps() const { return steps_; }
  std::map<std::string, at::Tensor> state() const;                            // "adam.m.<name>", "adam.v.<name>"
  void restore(const std::map<std::string, at::Tensor>& state, int64_t steps);  // an Error if one is missing

 private:
  at::Tensor part(const at::Tensor& flat, size_t p) const;  // parameter p's part of an array, in its shape
  void step_on_cpu(double step_size, double v_correction);
  void step_on_gpu(double step_size, double v_correction);

  nn::NamedTensors parameters_;
  std::vector<int64_t> first_;  // first index of each parameter in the arrays
  at::Tensor weight_, grad_, m_, v_;
  at::Tensor norm_, norm_scratch_;
  Options options_;
  int64_t steps_ = 0;
};

}  // namespace geniepath::training
