// GeniePath: T adaptive path layers, each a breadth and a depth function (paper, algorithm 1).
#pragma once

#include <vector>

#include "nn/breadth.h"
#include "nn/depth.h"
#include "nn/input_layer.h"

namespace geniepath::nn {

class GeniePath : public Model {
 public:
  GeniePath(const ModelConfig& config, int64_t features);

 private:
  at::Tensor represent(const ModelInput& input) override;
  std::shared_ptr<InputLayer> input_;
  std::vector<std::shared_ptr<BreadthFunction>> breadth_;
  std::vector<std::shared_ptr<DepthFunction>> depth_;
};

}  // namespace geniepath::nn
