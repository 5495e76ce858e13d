// The walk loss of rows z [N, width] on weighted pairs, in any precision. Row u of `pairs` lists the nodes v it
// is paired with; a pair's weight is positive if v was near u on a walk, negative if v was drawn at random:
//   loss_u = sum_v |w| softplus(-sign(w) z_u . z_v)          slope = d loss / d (z_u . z_v) = -w s(-sign(w) z_u . z_v)
#pragma once

#include "kernels/reference/skip_gram.h"
#include "kernels/rows.h"

namespace geniepath::kernels::reference {

//   weight, slope: one per pair, by position   loss: one per row; may be null
template <class T>
void pair_loss(const Rows& pairs, const float* weight, int64_t width, const T* z, T* slope, T* loss) {
  for (int64_t u = 0; u < pairs.count; ++u) {
    T sum = 0;
    for (int64_t at = pairs.offset[u]; at < pairs.offset[u + 1]; ++at) {
      const T* v = z + pairs.neighbour[at] * width;
      T score = 0;
      for (int64_t k = 0; k < width; ++k) score += z[u * width + k] * v[k];
      const T w = weight[at], against = w > 0 ? -score : score;
      sum += std::abs(w) * softplus(against);
      slope[at] = -w * sigmoid_of(against);
    }
    if (loss != nullptr) loss[u] = sum;
  }
}

}  // namespace geniepath::kernels::reference
