#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include "geniepath/ops.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cuda/elementwise.h"
#include "kernels/dropout.h"
#include "ops/checks.h"
#include "ops/device.h"

namespace geniepath::ops {
namespace {

namespace cuda = kernels::cuda;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

at::Tensor masked_on_gpu(const at::Tensor& x, double rate, const at::Tensor& key, int64_t uses) {
  at::Tensor y = at::empty_like(x);
  cuda::run(cuda::Dropout{x.numel(), reinterpret_cast<const uint64_t*>(key.data_ptr<int64_t>()), uses, rate,
                          x.data_ptr<float>(), y.data_ptr<float>(), current_stream()});
  return y;
}

at::Tensor masked(const at::Tensor& x, double rate, const at::Tensor& key_tensor, int64_t uses) {
  if (x.is_cuda()) return masked_on_gpu(x, rate, key_tensor, uses);
  const uint64_t key = kernels::dropout_key_after(static_cast<uint64_t>(*key_tensor.data_ptr<int64_t>()), uses);
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
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double rate, const at::Tensor& key,
                            int64_t uses) {
    context->saved_data["rate"] = rate;
    context->saved_data["uses"] = uses;
    context->saved_data["key"] = key;
    return masked(x, rate, key, uses);
  }
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    return {masked(grad_outputs[0].contiguous(), context->saved_data["rate"].toDouble(),
                   context->saved_data["key"].toTensor(), context->saved_data["uses"].toInt()),
            {}, {}, {}};
  }
};

}  // namespace

at::Tensor dropout(const at::Tensor& x, double rate, const at::Tensor& key, int64_t uses) {
  check_floating("dropout", "x", x);
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate is ", rate, ", expected 0 to below 1");
  if (key.scalar_type() != at::kLong || key.numel() != 1 || key.device() != x.device()) {
    fail("dropout: key must be int64 [1] on ", x.device().str());
  }
  if (rate == 0) return x;
  return DropoutFunction::apply(x.contiguous(), rate, key, uses);
}

at::Tensor dropout(const at::Tensor& x, double rate, uint64_t key) {
  return dropout(x, rate, at::full({1}, static_cast<int64_t>(key), x.options().dtype(at::kLong).requires_grad(false)), 0);
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  library.def("dropout(Tensor x, float rate, int key) -> Tensor", [](const at::Tensor& x, double rate, int64_t key) {
    return dropout(x, rate, static_cast<uint64_t>(key));
  });
}

}  // namespace geniepath::ops
