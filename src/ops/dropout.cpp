#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/sparse_dropout.h"
#include "kernels/dropout.h"
#include "ops/checks.h"

namespace geniepath::ops {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

at::Tensor masked(const at::Tensor& x, double rate, uint64_t key) {
  at::Tensor y = at::empty_like(x);
  if (x.scalar_type() == at::kDouble) {
    const uint64_t threshold = kernels::dropout_threshold(rate);
    for (int64_t n = 0; n < x.numel(); ++n) {
      const bool kept = kernels::dropout_keeps(key, static_cast<uint64_t>(n), threshold);
      y.data_ptr<double>()[n] = kept ? x.data_ptr<double>()[n] / (1.0 - rate) : 0.0;
    }
  } else {
    kernels::cpu::run(kernels::cpu::Dropout{x.numel(), key, rate, x.data_ptr<float>(), y.data_ptr<float>(),
                                            at::get_num_threads()});
  }
  return y;
}

struct DropoutFunction : torch::autograd::Function<DropoutFunction> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double rate, int64_t key) {
    context->saved_data["rate"] = rate;
    context->saved_data["key"] = key;
    return masked(x, rate, static_cast<uint64_t>(key));
  }
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const double rate = context->saved_data["rate"].toDouble();
    const auto key = static_cast<uint64_t>(context->saved_data["key"].toInt());
    return {masked(grad_outputs[0].contiguous(), rate, key), {}, {}};
  }
};

void check_rate(double rate) {
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate is ", rate, ", expected 0 to below 1");
}

at::Tensor masked_entries(const at::Tensor& offset, const at::Tensor& neighbour, bool transposed, int64_t columns,
                          const at::Tensor& value, double rate, uint64_t key) {
  at::Tensor out = at::empty_like(value);
  kernels::cpu::run(kernels::cpu::SparseDropout{rows_of(offset, neighbour), transposed, columns, key, rate,
                                                value.data_ptr<float>(), out.data_ptr<float>(),
                                                at::get_num_threads()});
  return out;
}

}  // namespace

at::Tensor dropout(const at::Tensor& x, double rate, uint64_t key) {
  check_floating("dropout", "x", x);
  check_rate(rate);
  if (rate == 0) return x;
  return DropoutFunction::apply(x.contiguous(), rate, static_cast<int64_t>(key));
}

SparseTensors dropout(const SparseTensors& x, double rate, uint64_t key) {
  check_rate(rate);
  SparseTensors y = x;
  if (rate == 0) return y;
  y.value = masked_entries(x.offset, x.column, false, x.columns(), x.value, rate, key);
  y.transposed_value =
      masked_entries(x.transposed_offset, x.transposed_column, true, x.columns(), x.transposed_value, rate, key);
  return y;
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def("dropout(Tensor x, float rate, int key) -> Tensor", [](const at::Tensor& x, double rate, int64_t key) {
    return dropout(x, rate, static_cast<uint64_t>(key));
  });
}

}  // namespace geniepath::ops
