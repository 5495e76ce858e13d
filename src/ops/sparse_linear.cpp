#include <ATen/ATen.h>

#include "geniepath/ops.h"
#include "ops/autograd.h"
#include "ops/checks.h"
#include "ops/index_tensors.h"
#include "ops/made_from.h"
#include "ops/registered.h"
#include "ops/spmm.h"

namespace geniepath::ops {
namespace {

struct SparseLinear : OnceDifferentiable<SparseLinear> {
  static constexpr const char* kName = "sparse_linear";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& w, const SparseTensors& x) {
    tensor_list kept{x.transposed_value};
    append(kept, transposed_rows_of(x));
    context->save_for_backward(kept);
    return spmm(rows_of(x), x.value, w);
  }
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    return {spmm(rows_at(kept, 1), kept[0], grad_outputs[0].contiguous()), {}};
  }
};

// Rows of a sparse matrix.
struct GivenRows {
  at::Tensor offset, column, value;
};

// The rows of a matrix from outside on the CPU, checked, without their values, in memory of their own.
SparseTensors rows_on_cpu(const GivenRows& rows, const GivenRows& transposed) {
  const auto copy = [](const at::Tensor& x) { return x.detach().to(at::kCPU, /*non_blocking=*/false, /*copy=*/true); };
  SparseTensors x;
  x.offset = copy(rows.offset), x.column = copy(rows.column);
  x.transposed_offset = copy(transposed.offset), x.transposed_column = copy(transposed.column);
  x.value = x.transposed_value = at::empty({0});
  check_rows("sparse_linear", x.offset, x.column, x.columns());
  check_rows("sparse_linear", x.transposed_offset, x.transposed_column, x.rows());
  return x;
}

// A matrix from outside, checked, on the device of w. Its rows are checked and moved once (MadeFrom); its values may be
// others in every call.
SparseTensors matrix_from_outside(const GivenRows& rows, const GivenRows& transposed, const at::Tensor& w) {
  static MadeFrom<SparseTensors> known;
  SparseTensors x = known.find({rows.offset, rows.column, transposed.offset, transposed.column}, 0, w,
                               [&] { return rows_on_cpu(rows, transposed); });
  x.value = rows.value.to(w.device()), x.transposed_value = transposed.value.to(w.device());
  for (const at::Tensor& values : {x.value, x.transposed_value}) {
    const bool is_known = values.scalar_type() == at::kFloat || values.scalar_type() == w.scalar_type();
    if (!is_known || values.numel() != x.column.numel() || !values.is_contiguous()) {
      fail("sparse_linear: values must be f32 or of the type of w, [", x.column.numel(), "]");
    }
  }
  return x;
}

void check(const SparseTensors& x, const at::Tensor& w) {
  check_matrix("sparse_linear", "w", w, x.columns(), -1, w);
  if (w.device() != x.offset.device())
    fail("sparse_linear: w is on ", w.device().str(), ", expected ", x.offset.device().str());
}

}  // namespace

at::Tensor sparse_linear(const SparseTensors& x, const at::Tensor& w) {
  check(x, w);
  return SparseLinear::apply(w.contiguous(), x);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto forward = [](const at::Tensor& offset, const at::Tensor& column, const at::Tensor& value,
                                const at::Tensor& transposed_offset, const at::Tensor& transposed_column,
                                const at::Tensor& transposed_value, const at::Tensor& w) {
    const SparseTensors x =
        matrix_from_outside({offset, column, value}, {transposed_offset, transposed_column, transposed_value}, w);
    check(x, w);
    return spmm(rows_of(x), x.value, w.contiguous());
  };
  const auto backward = [](at::TensorList grads, at::TensorList, const Wanted& wanted, const at::Tensor& offset,
                                 const at::Tensor& column, const at::Tensor& value, const at::Tensor& transposed_offset,
                                 const at::Tensor& transposed_column, const at::Tensor& transposed_value,
                                 const at::Tensor& w) {
    const SparseTensors x =
        matrix_from_outside({offset, column, value}, {transposed_offset, transposed_column, transposed_value}, w);
    check(x, w);
    const at::Tensor grad = gradient_of("sparse_linear", grads, 0, {x.rows(), w.size(1)}, w);
    return wanted_gradients("sparse_linear", wanted, {{}, {}, spmm(transposed_rows_of(x), x.transposed_value, grad)});
  };
  define(library,
         {"sparse_linear",
          "Tensor offset, Tensor column, Tensor value, Tensor transposed_offset, Tensor transposed_column, "
          "Tensor transposed_value, Tensor w"},
         forward, backward);
}

}  // namespace geniepath::ops
