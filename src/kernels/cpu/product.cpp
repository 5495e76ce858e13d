#include "kernels/cpu/product.h"

#include <algorithm>
#include <memory>

#include "kernels/cpu/one_thread_here.h"
#include "kernels/cpu/parallel.h"

namespace geniepath::kernels::cpu {
namespace {

constexpr int64_t kWork = 1 << 21;                     // multiply-adds that are worth a piece of their own
constexpr int64_t kFewestRows = 64, kMostRows = 8192;  // of c in a piece
constexpr int64_t kManyRows = 1024;                    // of c: enough to share out
constexpr int64_t kFewestTerms = 512;                  // of each sum in a piece
constexpr int64_t kMostSums = 32;                      // copies of c that are added up at the end

int64_t pieces_of(int64_t length, int64_t piece) { return (length + piece - 1) / piece; }
int64_t round_up(int64_t value, int64_t step) { return pieces_of(value, step) * step; }

template <class S>
MatrixView<S> some_rows(const MatrixView<S>& m, int64_t begin, int64_t count) {
  return {m.data + begin * (m.transposed ? 1 : m.stride), count, m.columns, m.stride, m.transposed};
}

template <class S>
MatrixView<S> some_columns(const MatrixView<S>& m, int64_t begin, int64_t count) {
  return {m.data + begin * (m.transposed ? m.stride : 1), m.rows, count, m.stride, m.transposed};
}

// Each piece computes some rows of c.
template <class S>
void multiply_by_rows(const Product<S>& op, int64_t at_once) {
  parallel_for(op.threads, pieces_of(op.a.rows, at_once), [&](int64_t piece) {
    const OneThreadHere alone;
    const int64_t begin = piece * at_once, count = std::min(at_once, op.a.rows - begin);
    matmul(some_rows(op.a, begin, count), op.b, op.c + begin * op.c_stride, op.c_stride, op.accumulate);
  });
}

// Each piece computes some terms of every sum in c; they are added in the order of the pieces.
template <class S>
void multiply_by_terms(const Product<S>& op, int64_t at_once) {
  const int64_t rows = op.a.rows, columns = op.b.columns, pieces = pieces_of(op.a.columns, at_once);
  const auto sums = std::make_unique_for_overwrite<float[]>(static_cast<size_t>(pieces * rows * columns));
  parallel_for(op.threads, pieces, [&](int64_t piece) {
    const OneThreadHere alone;
    const int64_t begin = piece * at_once, count = std::min(at_once, op.a.columns - begin);
    matmul(some_columns(op.a, begin, count), some_rows(op.b, begin, count), sums.get() + piece * rows * columns, columns,
           false);
  });
  parallel_ranges(op.threads, rows, pieces_of(kWork, columns * pieces), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      float* to = op.c + row * op.c_stride;
      if (!op.accumulate) std::fill_n(to, columns, 0.0f);
      for (int64_t piece = 0; piece < pieces; ++piece) {
        const float* from = sums.get() + (piece * rows + row) * columns;
        for (int64_t k = 0; k < columns; ++k) to[k] += from[k];
      }
    }
  });
}

template <class S>
void multiply(const Product<S>& op) {
  const int64_t rows = op.a.rows, terms = op.a.columns, columns = op.b.columns;
  if (rows == 0 || columns == 0) return;
  if (rows < kManyRows && terms >= 2 * kFewestTerms) {
    const int64_t worth = round_up(pieces_of(kWork, rows * columns), kFewestTerms);
    multiply_by_terms(op, std::max(worth, pieces_of(terms, kMostSums)));
  } else {
    const int64_t worth = round_up(pieces_of(kWork, std::max<int64_t>(1, terms * columns)), kFewestRows);
    multiply_by_rows(op, std::min(worth, kMostRows));
  }
}

}  // namespace

void run(const Product<float>& op) { multiply(op); }
void run(const Product<Bf16>& op) { multiply(op); }

}  // namespace geniepath::kernels::cpu
