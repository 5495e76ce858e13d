#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/spmm.h"
#include "kernels/reference/spmm.h"
#include "ops/checks.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

at::Tensor spmm(const at::Tensor& offset, const at::Tensor& column, const at::Tensor& value, const at::Tensor& dense) {
  at::Tensor out = at::empty({offset.numel() - 1, dense.size(1)}, dense.scalar_type());
  const kernels::Rows rows = rows_of(offset, column);
  if (dense.scalar_type() == at::kDouble) {
    kernels::reference::spmm<double, float>(rows, value.data_ptr<float>(), dense.size(1), dense.data_ptr<double>(),
                                            out.data_ptr<double>());
  } else {
    cpu::run(cpu::Spmm{rows, value.data_ptr<float>(), dense.size(1), dense.data_ptr<float>(), out.data_ptr<float>(),
                       at::get_num_threads()});
  }
  return out;
}

struct SparseLinear : torch::autograd::Function<SparseLinear> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& w, const at::Tensor& offset,
                            const at::Tensor& column, const at::Tensor& value, const at::Tensor& transposed_offset,
                            const at::Tensor& transposed_column, const at::Tensor& transposed_value) {
    context->save_for_backward({transposed_offset, transposed_column, transposed_value});
    return spmm(offset, column, value, w);
  }
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    return {spmm(saved[0], saved[1], saved[2], grad_outputs[0].contiguous()), {}, {}, {}, {}, {}, {}};
  }
};

}  // namespace

at::Tensor sparse_linear(const SparseTensors& x, const at::Tensor& w) {
  check_matrix("sparse_linear", "w", w, x.columns(), -1, w);
  return SparseLinear::apply(w.contiguous(), x.offset, x.column, x.value, x.transposed_offset, x.transposed_column,
                             x.transposed_value);
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
        return sparse_linear(x, w);
      });
}

}  // namespace geniepath::ops
