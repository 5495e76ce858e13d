// out[r] = sum over the entries of row r: value * x[column], in any precision. value null: all ones.
#pragma once

#include <algorithm>

#include "kernels/rows.h"

namespace geniepath::kernels::reference {

template <class T, class V>
void spmm(const Rows& rows, const V* value, int64_t width, const T* x, T* out) {
  for (int64_t r = 0; r < rows.count; ++r) {
    std::fill(out + r * width, out + (r + 1) * width, T{0});
    for (int64_t at = rows.offset[r]; at < rows.offset[r + 1]; ++at) {
      const T weight = value == nullptr ? T{1} : static_cast<T>(value[rows.edge_id(at)]);
      for (int64_t k = 0; k < width; ++k) out[r * width + k] += weight * x[rows.neighbour[at] * width + k];
    }
  }
}

}  // namespace geniepath::kernels::reference
