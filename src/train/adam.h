// Adam (Kingma and Ba 2014) with L2 in the gradient and clipping by the global norm. Its state is plain tensors, so a
// checkpoint holds all of it and a resumed run continues to the bit, with any version of LibTorch.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

namespace geniepath::training {

class Adam {
 public:
  struct Options {
    double l2 = 0;    // adds l2 * w to the gradient of every weight
    double clip = 0;  // rescales gradients whose global norm is larger; 0: never
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  };

  Adam(std::vector<std::pair<std::string, at::Tensor>> parameters, const Options& options);

  // One update with the gradients at hand, which are then cleared. Returns their norm before clipping.
  double step(double learning_rate);

  int64_t steps() const { return steps_; }
  std::map<std::string, at::Tensor> state() const;                            // "adam.m.<name>", "adam.v.<name>"
  void restore(const std::map<std::string, at::Tensor>& state, int64_t steps);  // an Error where one is missing

 private:
  std::vector<std::pair<std::string, at::Tensor>> parameters_;
  std::vector<at::Tensor> m_, v_;
  Options options_;
  int64_t steps_ = 0;
};

}  // namespace geniepath::training
