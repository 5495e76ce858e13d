// out[r] = row_scale[r] sum over the entries of row r: value * column_scale[column] * x[column], in any precision.
// value and scales null: all ones. Visits the rows from `first` on.
#pragma once

#include <algorithm>

#include "kernels/rows.h"

namespace geniepath::kernels::reference {

template <class T, class V>
void spmm(const Rows& rows, const V* value, int64_t width, const T* x, T* out, const T* row_scale = nullptr,
          const T* column_scale = nullptr) {
  for (int64_t r = rows.first; r < rows.count; ++r) {
    std::fill(out + r * width, out + (r + 1) * width, T{0});
    for (int64_t at = rows.offset[r]; at < rows.offset[r + 1]; ++at) {
      const int64_t c = rows.neighbour[at];
      T weight = value == nullptr ? T{1} : static_cast<T>(value[rows.edge_id(at)]);
      if (row_scale != nullptr) weight *= row_scale[r];
      if (column_scale != nullptr) weight *= column_scale[c];
      for (int64_t k = 0; k < width; ++k) out[r * width + k] += weight * x[c * width + k];
    }
  }
}

}  // namespace geniepath::kernels::reference
