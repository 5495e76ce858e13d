#include "ops/spmm.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kernels/cpu/spmm.h"
#include "kernels/cuda/spmm.h"
#include "kernels/reference/spmm.h"
#include "ops/backend.h"
#include "ops/device.h"

namespace geniepath::ops {

at::Tensor spmm(const RowTensors& rows, const at::Tensor& value, const at::Tensor& x, const at::Tensor& row_scale,
                const at::Tensor& column_scale) {
  const int64_t width = x.size(1);
  at::Tensor out = at::empty({rows.rows(), width}, x.options());
  const auto reference = [&] {
    const auto sum = [&](const auto* values) {
      kernels::reference::spmm(cpu_rows(rows), values, width, x.data_ptr<double>(), out.data_ptr<double>(),
                               pointer<double>(row_scale), pointer<double>(column_scale));
    };
    const bool narrow = value.defined() && value.scalar_type() == at::kFloat;
    narrow ? sum(value.data_ptr<float>()) : sum(pointer<double>(value));
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::Spmm{cpu_rows(rows), pointer<float>(value), width, x.data_ptr<float>(), out.data_ptr<float>(),
                       pointer<float>(row_scale), pointer<float>(column_scale), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    const at::Tensor scratch = scratch_for(rows, width, x);
    cuda::run(cuda::Spmm{gpu_rows(rows), pointer<float>(value), width, x.data_ptr<float>(), out.data_ptr<float>(),
                         pointer<float>(row_scale), pointer<float>(column_scale), scratch.data_ptr<float>(),
                         current_stream()});
  };
  dispatch(x, reference, on_cpu, on_gpu);
  return out;
}

void sum_rows_on_cpu(const RowTensors& rows, int64_t first, int64_t last, const at::Tensor& x, const at::Tensor& out) {
  const kernels::Rows some = cpu_rows(rows, first, last);
  const int64_t width = x.size(1);
  if (backend_of(x) == Backend::kReference) {
    return kernels::reference::spmm<double, double>(some, nullptr, width, x.data_ptr<double>(), out.data_ptr<double>());
  }
  cpu::run(cpu::Spmm{some, nullptr, width, x.data_ptr<float>(), out.data_ptr<float>(), nullptr, nullptr,
                     at::get_num_threads()});
}

}  // namespace geniepath::ops
