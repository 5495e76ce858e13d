// out[i][k] = max over the neighbours j of i of x[j][k], in any precision, and its gradient.
//   x, out: [N, K]   choice: [N, K], the winner's position in row i; -1, and out 0, without neighbours
// Ties go to the first; NaN exceeds every number. skip_self leaves the edge (i <- i) out. The forward pass visits the rows
// from `first` on.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/rows.h"

namespace geniepath::kernels::reference {

template <class T>
bool exceeds(T x, T best) {
  return x > best || (std::isnan(x) && !std::isnan(best));
}

template <class T>
void neighbour_max_forward(const Rows& incoming, bool skip_self, int64_t width, const T* x, T* out, int32_t* choice) {
  for (int64_t i = incoming.first; i < incoming.count; ++i) {
    for (int64_t k = 0; k < width; ++k) {
      T& best = out[i * width + k];
      int32_t& winner = choice[i * width + k];
      best = 0, winner = -1;
      for (int64_t at = incoming.offset[i]; at < incoming.offset[i + 1]; ++at) {
        const int64_t j = incoming.neighbour[at];
        if ((skip_self && j == i) || (winner >= 0 && !exceeds(x[j * width + k], best))) continue;
        best = x[j * width + k];
        winner = static_cast<int32_t>(at - incoming.offset[i]);
      }
    }
  }
}

// Overwrites grad_x: each winner gets the gradient of its maximum.
template <class T>
void neighbour_max_backward(const Rows& incoming, int64_t width, const int32_t* choice, const T* grad_out, T* grad_x) {
  std::fill(grad_x, grad_x + incoming.count * width, T{0});
  for (int64_t i = 0; i < incoming.count; ++i) {
    for (int64_t k = 0; k < width; ++k) {
      const int32_t winner = choice[i * width + k];
      if (winner < 0) continue;
      const int64_t j = incoming.neighbour[incoming.offset[i] + winner];
      grad_x[j * width + k] += grad_out[i * width + k];
    }
  }
}

}  // namespace geniepath::kernels::reference
