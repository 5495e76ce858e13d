// GeniePath-lazy: T stacked breadth functions, then depth functions over the results of all hops (paper, "A variant").
//   h^(0) = mu^(0) = W_x' X     h^(t+1) = breadth_t(h^(t))     mu^(t+1) = depth_t(CONCAT(h^(t), mu^(t)))
// Depth functions run for t = lazy_start .. T: by default from 0 (docs/paper_map.md says why), so that all of h^(0) ..
// h^(T) are read and the last mu, which enters the loss, reaches T hops.
#pragma once

#include <vector>

#include "geniepath/path_model.h"
#include "nn/breadth.h"
#include "nn/depth.h"
#include "nn/input_layer.h"
#include "nn/start.h"

namespace geniepath::nn {

class GeniePathLazy : public Model, public PathModel, public FittedStart {
 public:
  GeniePathLazy(const ModelConfig& config, int64_t features);
  void fit_start(const ModelInput& input, Group& group) override;
  int64_t num_hops() const override { return static_cast<int64_t>(breadth_.size()); }
  int64_t radius() const override { return num_hops(); }
  at::Tensor begin(const ModelInput& input) const override { return input_->forward(input); }
  BreadthRows breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const override;
  at::Tensor even_breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                          const at::Tensor& h_0) const override;
  at::Tensor finish(const at::Tensor& h_0, const std::vector<at::Tensor>& h) const override;
  DepthTrace depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const override;

 private:
  bool draws() const override { return false; }
  at::Tensor represent(const ModelInput& input, Pass& pass) const override;
  std::shared_ptr<InputLayer> input_;
  std::vector<std::shared_ptr<BreadthFunction>> breadth_;  // T
  std::vector<std::shared_ptr<DepthFunction>> depth_;      // for hops lazy_start .. T
  size_t lazy_start_;
};

}  // namespace geniepath::nn
