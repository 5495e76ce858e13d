#include "kernels/cpu/matmul.h"

#include <algorithm>

#include "kernels/cpu/instruction_set.h"
#include "kernels/cpu/onednn_product.h"
#include "kernels/cpu/tile_product.h"

namespace geniepath::kernels::cpu {
namespace {

// Whether a dimension is 0; if so, sets c to the empty sums.
template <class S>
bool is_empty(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate) {
  if (a.rows == 0 || b.columns == 0) return true;
  if (a.columns != 0) return false;
  for (int64_t r = 0; r < a.rows && !accumulate; ++r) std::fill_n(c + r * c_stride, b.columns, 0.0f);
  return true;
}

}  // namespace

template <>
bool has_matmul<float>() {
  return has_onednn();
}

template <>
bool has_matmul<Bf16>() {
  const Bf16Product product = this_bf16_product();
  return product == Bf16Product::kTiles || (product == Bf16Product::kOneDnn && has_onednn());
}

void matmul(const MatrixView<float>& a, const MatrixView<float>& b, float* c, int64_t c_stride, bool accumulate) {
  if (is_empty(a, b, c, c_stride, accumulate)) return;
  onednn_product(a, b, c, c_stride, accumulate);
}

void matmul(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride, bool accumulate) {
  if (is_empty(a, b, c, c_stride, accumulate)) return;
  const bool tiles = this_bf16_product() == Bf16Product::kTiles;
  (tiles ? tile_product : onednn_product<Bf16>)(a, b, c, c_stride, accumulate);
}

}  // namespace geniepath::kernels::cpu
