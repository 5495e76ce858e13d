#include "geniepath/path_model.h"

#include <ATen/ATen.h>

#include "nn/row_means.h"

namespace geniepath {

at::Tensor PathModel::even_breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                                   const at::Tensor& h_0) const {
  const int64_t count = rows.size();
  const ops::NodeRows one_each{at::arange(count + 1, at::kLong), at::arange(count, 2 * count, at::kInt)};
  return breadth(t, one_each, at::cat({h.narrow(0, 0, count), nn::row_means(rows, h)}), h_0.narrow(0, 0, count)).h_tmp;
}

at::Tensor PathModel::advance(int64_t, const at::Tensor& h_tmp, at::Tensor&) const { return h_tmp; }

at::Tensor PathModel::finish(const at::Tensor&, const std::vector<at::Tensor>& h) const { return h.back(); }

DepthTrace PathModel::depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const {
  std::vector<at::Tensor> h;
  at::Tensor memory;
  for (int64_t t = 1; t <= num_hops(); ++t) h.push_back(advance(t, h_tmp[static_cast<size_t>(t - 1)], memory));
  const at::Tensor last = finish(h_0, h);
  return {{{num_hops(), {at::ones_like(last), at::zeros_like(last), at::ones_like(last), last}}}, last};
}

at::Tensor run_hops(const PathModel& model, const ModelInput& input, double dropout, Pass& pass) {
  const ops::NodeRows rows{input.graph.in_offset, input.graph.in_neighbour};
  const at::Tensor h_0 = pass.drop(model.begin(input), dropout);
  std::vector<at::Tensor> h;
  at::Tensor memory;
  for (int64_t t = 1; t <= model.num_hops(); ++t) {
    const at::Tensor h_tmp = model.breadth(t, rows, h.empty() ? h_0 : h.back(), h_0).h_tmp;
    h.push_back(pass.drop(model.advance(t, h_tmp, memory), dropout));
    pass.layer_done(t, model.num_hops());
  }
  return model.finish(h_0, h);
}

}  // namespace geniepath
