// Node features X [N, P].
#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <variant>

#include "geniepath/export.h"
#include "geniepath/sparse_matrix.h"

namespace geniepath GENIEPATH_EXPORT {

// Dense f32, or sparse and kept so. One-hot node ids are sparse with one 1 per row.
class Features {
 public:
  Features();  // no nodes, no features
  // An Error where it is not f32 of two dimensions, or where the rows of a sparse one are not what SparseMatrix says.
  Features(at::Tensor dense);     // NOLINT(google-explicit-constructor)
  Features(SparseMatrix sparse);  // NOLINT(google-explicit-constructor)

  bool is_sparse() const { return std::holds_alternative<SparseMatrix>(values_); }
  const at::Tensor& dense() const { return std::get<at::Tensor>(values_); }
  const SparseMatrix& sparse() const { return std::get<SparseMatrix>(values_); }
  int64_t num_nodes() const;
  int64_t num_features() const;
  int64_t num_nonzeros() const;  // entries that are not 0
  Features select_rows(std::span<const NodeId> rows) const;

 private:
  std::variant<at::Tensor, SparseMatrix> values_;
};

}  // namespace geniepath
