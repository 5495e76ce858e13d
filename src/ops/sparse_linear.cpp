#include <ATen/ATen.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "ops/autograd.h"
#include "ops/checks.h"
#include "ops/index_tensors.h"
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

}  // namespace

at::Tensor sparse_linear(const SparseTensors& x, const at::Tensor& w) {
  check_matrix("sparse_linear", "w", w, x.columns(), -1, w);
  if (w.device() != x.offset.device()) fail("sparse_linear: w is on ", w.device().str(), ", expected ", x.offset.device().str());
  return SparseLinear::apply(w.contiguous(), x);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def(
      "sparse_linear(Tensor offset, Tensor column, Tensor value, Tensor transposed_offset, Tensor transposed_column, "
      "Tensor transposed_value, Tensor w) -> Tensor",
      [](const at::Tensor& offset, const at::Tensor& column, const at::Tensor& value,
         const at::Tensor& transposed_offset, const at::Tensor& transposed_column, const at::Tensor& transposed_value,
         const at::Tensor& w) {
        SparseTensors x;
        x.offset = offset, x.column = column, x.value = value;
        x.transposed_offset = transposed_offset, x.transposed_column = transposed_column;
        x.transposed_value = transposed_value;
        check_rows("sparse_linear", offset, column, transposed_offset.numel() - 1);
        check_rows("sparse_linear", transposed_offset, transposed_column, offset.numel() - 1);
        for (const at::Tensor& values : {value, transposed_value}) {
          if (values.scalar_type() != at::kFloat || values.numel() != column.numel() || !values.is_contiguous()) {
            fail("sparse_linear: values must be f32 [", column.numel(), "]");
          }
        }
        return sparse_linear(placed_like(w, x), w);
      });
}

}  // namespace geniepath::ops
