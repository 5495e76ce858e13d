#include "kernels/cpu/product.h"

#include <algorithm>
#include <memory>

#include "base/parallel_for.h"

namespace geniepath::kernels::cpu {
namespace {

// Pieces by rows: large enough to be worth packing b, which each piece does for itself.
constexpr int64_t kFewestRows = 256, kMostRows = 1024, kManyPieces = 32;
// Pieces by terms: each has a copy of c, summed at the end.
constexpr int64_t kFewestTerms = 1024, kMostSums = 64, kMostSummed = 1 << 22;

// Each piece computes some rows of c.
template <class S>
void multiply_by_rows(const Product<S>& op) {
  const int64_t at_once = std::clamp(op.a.rows / kManyPieces, kFewestRows, kMostRows);
  parallel_ranges(op.threads, op.a.rows, at_once, [&](int64_t begin, int64_t end) {
    matmul(op.a.part(begin, end - begin, 0, op.a.columns), op.b, op.c + begin * op.c_stride, op.c_stride,
           op.accumulate);
  });
}

// c[row] = or += the sum over its pieces, in order.
template <class S>
void add_up(const Product<S>& op, const float* sums, int64_t pieces) {
  const int64_t columns = op.b.columns;
  parallel_ranges(op.threads, op.a.rows, 1 + kMostSummed / 64 / (columns * pieces), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* to = op.c + row * op.c_stride;
      if (!op.accumulate) std::fill_n(to, columns, 0.0f);
      for (int64_t piece = 0; piece < pieces; ++piece) {
        const float* from = sums + (piece * op.a.rows + row) * columns;
        for (int64_t k = 0; k < columns; ++k) to[k] += from[k];
      }
    }
  });
}

// Each piece computes some terms of every sum in c.
template <class S>
void multiply_by_terms(const Product<S>& op, int64_t at_once) {
  const int64_t rows = op.a.rows, columns = op.b.columns, terms = op.a.columns;
  const int64_t pieces = (terms + at_once - 1) / at_once;
  const auto sums = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(pieces * rows * columns));
  parallel_ranges(op.threads, terms, at_once, [&](int64_t begin, int64_t end) {
    matmul(op.a.part(0, rows, begin, end - begin), op.b.part(begin, end - begin, 0, columns),
           sums.get() + begin / at_once * rows * columns, columns, false);
  });
  add_up(op, sums.get(), pieces);
}

template <class S>
void multiply(const Product<S>& op) {
  const int64_t rows = op.a.rows, terms = op.a.columns, columns = op.b.columns;
  if (rows == 0 || columns == 0) return;
  const int64_t pieces = std::min({terms / kFewestTerms, kMostSummed / (rows * columns), kMostSums});
  // Sums over nodes, whose rows are the columns of a transposed matrix: gradients of weights. All others are by rows,
  // so that the bits of a node's row do not depend on the number of nodes.
  if (op.a.transposed && rows <= kMostRows && pieces > 1) {
    multiply_by_terms(op, (terms + pieces - 1) / pieces);
  } else {
    multiply_by_rows(op);
  }
}

}  // namespace

void run(const Product<float>& op) { multiply(op); }
void run(const Product<Bf16>& op) { multiply(op); }

}  // namespace geniepath::kernels::cpu
