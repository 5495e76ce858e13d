#include "kernels/cpu/matmul.h"

#include <omp.h>

#include <algorithm>
#include <memory>

#include "kernels/cpu/instruction_set.h"
#include "kernels/cpu/onednn_product.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/tile_product.h"

namespace geniepath::kernels::cpu {
namespace {

constexpr int64_t kFewestRows = 256, kMostRows = 1024, kManyPieces = 32;         // pieces of rows
constexpr int64_t kShortestSum = 1024, kMostSums = 64, kSummedAtOnce = 1 << 22;  // pieces of depth

void product_of_piece(const MatrixView<float>& a, const MatrixView<float>& b, float* c, int64_t c_stride, bool accumulate) {
  onednn_product(a, b, c, c_stride, accumulate);
}

void product_of_piece(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride, bool accumulate) {
  const bool tiles = this_bf16_product() == Bf16Product::kTiles;
  (tiles ? tile_product : onednn_product<Bf16>)(a, b, c, c_stride, accumulate);
}

// C's rows in pieces.
template <class S>
void multiply_by_rows(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate) {
  const int64_t rows_at_once = std::clamp(a.rows / kManyPieces, kFewestRows, kMostRows);
  parallel_ranges(omp_get_max_threads(), a.rows, rows_at_once, [&](int64_t begin, int64_t end) {
    product_of_piece(a.part(begin, end - begin, 0, a.columns), b, c + begin * c_stride, c_stride, accumulate);
  });
}

// A small C of long sums, as gradients of weights are: pieces of the sums, added up in their order.
template <class S>
void multiply_by_depth(const MatrixView<S>& a, const MatrixView<S>& b, int64_t pieces, float* c, int64_t c_stride,
                       bool accumulate) {
  const int64_t depth = a.columns, depth_at_once = (depth + pieces - 1) / pieces, size = a.rows * b.columns;
  const auto sums = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(pieces * size));
  const int threads = omp_get_max_threads();
  parallel_ranges(threads, depth, depth_at_once, [&](int64_t begin, int64_t end) {
    product_of_piece(a.part(0, a.rows, begin, end - begin), b.part(begin, end - begin, 0, b.columns),
                     sums.get() + begin / depth_at_once * size, b.columns, false);
  });
  const int64_t filled = (depth + depth_at_once - 1) / depth_at_once;
  parallel_for(threads, a.rows, [&](int64_t row) {
    float* out = c + row * c_stride;
    if (!accumulate) std::fill_n(out, b.columns, 0.0f);
    for (int64_t piece = 0; piece < filled; ++piece) {
      const float* sum = sums.get() + piece * size + row * b.columns;
      for (int64_t n = 0; n < b.columns; ++n) out[n] += sum[n];
    }
  });
}

template <class S>
void multiply(const MatrixView<S>& a, const MatrixView<S>& b, float* c, int64_t c_stride, bool accumulate) {
  if (a.rows == 0 || b.columns == 0) return;
  if (a.columns == 0) {
    for (int64_t r = 0; r < a.rows && !accumulate; ++r) std::fill_n(c + r * c_stride, b.columns, 0.0f);
    return;
  }
  const int64_t pieces = std::min({a.columns / kShortestSum, kSummedAtOnce / (a.rows * b.columns), kMostSums});
  if (a.rows <= kMostRows && pieces > 1) {
    multiply_by_depth(a, b, pieces, c, c_stride, accumulate);
  } else {
    multiply_by_rows(a, b, c, c_stride, accumulate);
  }
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
  multiply(a, b, c, c_stride, accumulate);
}

void matmul(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride, bool accumulate) {
  multiply(a, b, c, c_stride, accumulate);
}

}  // namespace geniepath::kernels::cpu
