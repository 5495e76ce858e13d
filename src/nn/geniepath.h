// GeniePath: T adaptive path layers, each a breadth and a depth function (paper, algorithm 1).
#pragma once

#include <vector>

#include "geniepath/path_model.h"
#include "nn/breadth.h"
#include "nn/depth.h"
#include "nn/input_layer.h"
#include "nn/start.h"

namespace geniepath::nn {

class GeniePath : public Model, public PathModel, public FittedStart {
 public:
  GeniePath(const ModelConfig& config, int64_t features);
  void fit_start(const ModelInput& input, Group& group) override;
  int64_t num_hops() const override { return static_cast<int64_t>(breadth_.size()); }
  int64_t radius() const override { return num_hops(); }
  at::Tensor begin(const ModelInput& input) const override { return input_->forward(input); }
  BreadthRows breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const override;
  at::Tensor even_breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                          const at::Tensor& h_0) const override;
  at::Tensor advance(int64_t t, const at::Tensor& h_tmp, at::Tensor& memory) const override;
  DepthTrace depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const override;

 private:
  bool draws() const override { return false; }
  at::Tensor represent(const ModelInput& input, Pass& pass) const override;
  std::shared_ptr<InputLayer> input_;
  std::vector<std::shared_ptr<BreadthFunction>> breadth_;
  std::vector<std::shared_ptr<DepthFunction>> depth_;
};

}  // namespace geniepath::nn
