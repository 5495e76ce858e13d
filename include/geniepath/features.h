// Node features X: [N, P].
#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <variant>

#include "geniepath/export.h"
#include "geniepath/sparse_matrix.h"

namespace geniepath GENIEPATH_EXPORT {

// Dense or sparse f32; sparse features stay sparse. One-hot node ids are sparse, with one 1 per row.
class Features {
 public:
  Features();  // no nodes, no features
  // An Error unless f32 with two dimensions, or a sparse matrix with valid rows (sparse_matrix.h).
  Features(at::Tensor dense);     // NOLINT(google-explicit-constructor)
  Features(SparseMatrix sparse);  // NOLINT(google-explicit-constructor)

  bool is_sparse() const { return std::holds_alternative<SparseMatrix>(values_); }
  const at::Tensor& dense() const { return std::get<at::Tensor>(values_); }
  const SparseMatrix& sparse() const { return std::get<SparseMatrix>(values_); }
  int64_t num_nodes() const;
  int64_t num_features() const;
  int64_t num_nonzeros() const;  // nonzero entries of a dense matrix, stored entries of a sparse one
  Features select_rows(std::span<const NodeId> rows) const;  // [rows.size(), P], in the order given

 private:
  std::variant<at::Tensor, SparseMatrix> values_;
};

// The rows of both, one below the other; dense if the first are. An Error unless both have as many features.
Features stacked(const Features& above, const Features& below);

}  // namespace geniepath
