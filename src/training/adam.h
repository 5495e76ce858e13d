// Adam (Kingma and Ba 2014) with L2 in the gradient and clipping by the global norm.
//
// All weights lie one after the other in one array, and so do their gradients and moments: the parameters become views of
// it, a step is one pass, and on a GPU one kernel without a word from the host. The state is plain tensors, so a
// checkpoint holds all of it and a resumed run continues to the bit, with any version of LibTorch.
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
    double clip = 0;  // rescales gradients whose global norm is larger; 0: never
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  };

  // Takes the parameters over: their memory moves, and gradients add up in this object's array until a step.
  Adam(nn::NamedTensors parameters, const Options& options);

  // One update with the gradients added up since the last, which are then 0 again.
  void step(double learning_rate);
  // The norm of the last step's gradient, before clipping. Waits for the GPU.
  double gradient_norm() const;

  // Weights and state as they are now, to come back to.
  struct Snapshot {
    at::Tensor weight, m, v;
    int64_t steps = 0;
  };
  Snapshot snapshot() const { return {weight_.clone(), m_.clone(), v_.clone(), steps_}; }
  void restore(const Snapshot& snapshot);

  int64_t steps() const { return steps_; }
  std::map<std::string, at::Tensor> state() const;                            // "adam.m.<name>", "adam.v.<name>"
  void restore(const std::map<std::string, at::Tensor>& state, int64_t steps);  // an Error where one is missing

 private:
  at::Tensor part(const at::Tensor& flat, size_t p) const;  // parameter p's share of an array, in its shape
  void step_on_cpu(double step_size, double v_correction);
  void step_on_gpu(double step_size, double v_correction);

  nn::NamedTensors parameters_;
  std::vector<int64_t> first_;  // of each parameter in the arrays
  at::Tensor weight_, grad_, m_, v_;
  at::Tensor norm_, norm_scratch_;
  Options options_;
  int64_t steps_ = 0;
};

}  // namespace geniepath::training
