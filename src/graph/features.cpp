#include "geniepath/features.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "base/parallel.h"
#include "geniepath/error.h"
#include "graph/buckets.h"
#include "graph/csr.h"

namespace geniepath {

Features::Features() : values_(at::zeros({0, 0}, at::kFloat)) {}

Features::Features(at::Tensor dense) : values_(std::move(dense)) {
  const at::Tensor& x = this->dense();
  if (x.dim() != 2) fail("features: a tensor of ", x.dim(), " dimensions, expected [nodes, features]");
  if (x.scalar_type() != at::kFloat) fail("features: dtype ", at::toString(x.scalar_type()), ", expected f32");
}

Features::Features(SparseMatrix sparse) : values_(std::move(sparse)) { check_csr(this->sparse(), "features"); }

int64_t Features::num_nodes() const { return is_sparse() ? sparse().rows : dense().size(0); }
int64_t Features::num_features() const { return is_sparse() ? sparse().columns : dense().size(1); }
int64_t Features::num_nonzeros() const {
  return is_sparse() ? sparse().num_nonzeros() : dense().count_nonzero().item<int64_t>();
}

Features Features::select_rows(std::span<const NodeId> rows) const {
  if (is_sparse()) return sparse().select_rows(rows);
  const at::Tensor from = dense().contiguous();
  const int64_t width = from.size(1);
  at::Tensor chosen = at::empty({std::ssize(rows), width}, at::kFloat);
  in_parallel(std::ssize(rows), kRowsAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      std::copy_n(from.data_ptr<float>() + rows[static_cast<size_t>(r)] * width, width,
                  chosen.data_ptr<float>() + r * width);
    }
  });
  return chosen;
}

namespace {

template <class T>
std::vector<T> joined(const SharedArray<T>& first, const SharedArray<T>& second) {
  std::vector<T> all(first.span().begin(), first.span().end());
  all.insert(all.end(), second.span().begin(), second.span().end());
  return all;
}

SparseMatrix stacked_rows(const SparseMatrix& above, const SparseMatrix& below) {
  std::vector<int64_t> offset(above.offset.span().begin(), above.offset.span().end());
  for (const int64_t at : below.offset.span().subspan(1)) offset.push_back(above.num_nonzeros() + at);
  return {above.rows + below.rows, above.columns, std::move(offset), joined(above.column, below.column),
          joined(above.value, below.value)};
}

}  // namespace

Features stacked(const Features& above, const Features& below) {
  if (above.num_features() != below.num_features()) {
    fail("features: rows of ", below.num_features(), ", expected ", above.num_features());
  }
  if (!above.is_sparse())
    return at::cat({above.dense(), below.is_sparse() ? below.sparse().to_dense() : below.dense()});
  if (!below.is_sparse()) fail("features: dense rows below sparse ones");
  return stacked_rows(above.sparse(), below.sparse());
}

}  // namespace geniepath
