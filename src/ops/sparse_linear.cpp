#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/spmm.h"
#include "kernels/cuda/spmm.h"
#include "kernels/reference/spmm.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

at::Tensor spmm_on_gpu(const at::Tensor& offset, const at::Tensor& column, const at::Tensor& value,
                       const LongRowTensors& cut, const at::Tensor& dense) {
  const int64_t width = dense.size(1);
  at::Tensor out = at::empty({offset.numel() - 1, width}, dense.options());
  const at::Tensor scratch = scratch_for(cut, width, dense);
  cuda::run(cuda::Spmm{device_rows_of(offset, column, cut), value.data_ptr<float>(), width, dense.data_ptr<float>(),
                       out.data_ptr<float>(), scratch.data_ptr<float>(), nullptr, nullptr, current_stream()});
  return out;
}

at::Tensor spmm(const at::Tensor& offset, const at::Tensor& column, const at::Tensor& value, const LongRowTensors& cut,
                const at::Tensor& dense) {
  if (dense.is_cuda()) return spmm_on_gpu(offset, column, value, cut, dense);
  at::Tensor out = at::empty({offset.numel() - 1, dense.size(1)}, dense.options());
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
  static at::Tensor forward(AutogradContext* context, const at::Tensor& w, const SparseTensors& x) {
    tensor_list kept{x.transposed_offset, x.transposed_column, x.transposed_value};
    append(kept, x.transposed_long_rows);
    context->save_for_backward(kept);
    return spmm(x.offset, x.column, x.value, x.long_rows, w);
  }
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    return {spmm(kept[0], kept[1], kept[2], long_rows_at(kept, 3), grad_outputs[0].contiguous()), {}};
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
        return sparse_linear(w.is_cuda() ? x.to(w.device()) : x, w);
      });
}

}  // namespace geniepath::ops
