#include "nn/row_means.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>

namespace geniepath::nn {

at::Tensor row_means(const ops::NodeRows& rows, const at::Tensor& h) {
  const int64_t width = h.size(1);
  const at::Tensor states = h.contiguous(), mean = at::zeros({rows.size(), width}, h.options());
  const auto* offset = rows.offset.data_ptr<int64_t>();
  const auto* neighbour = rows.neighbour.data_ptr<int32_t>();
  const float* state = states.data_ptr<float>();
  float* out = mean.data_ptr<float>();
  at::parallel_for(0, rows.size(), 64, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      float* sum = out + r * width;
      for (int64_t e = offset[r]; e < offset[r + 1]; ++e) {
        for (int64_t k = 0; k < width; ++k) sum[k] += state[neighbour[e] * width + k];
      }
      const auto count = static_cast<float>(std::max<int64_t>(1, offset[r + 1] - offset[r]));
      for (int64_t k = 0; k < width; ++k) sum[k] /= count;
    }
  });
  return mean;
}

}  // namespace geniepath::nn
