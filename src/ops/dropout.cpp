#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/ops.h"
#include "kernels/cpu/dropout.h"
#include "kernels/cuda/dropout.h"
#include "kernels/dropout.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"
#include "ops/index_tensors.h"
#include "ops/mask_key.h"
#include "ops/registered.h"

namespace geniepath {

MaskKey::MaskKey(uint64_t key) : base(at::full({1}, static_cast<int64_t>(key), at::kLong)) {}

uint64_t MaskKey::value() const {
  return kernels::dropout_key_after(static_cast<uint64_t>(base.item<int64_t>()), uses);
}

MaskKey MaskKey::to(at::Device device) const { return {base.to(device), uses}; }

namespace ops {
namespace {

at::Tensor masked(const at::Tensor& x, double rate, const MaskKey& key) {
  at::Tensor y = at::empty_like(x);
  const auto reference = [&] {
    const uint64_t threshold = kernels::dropout_threshold(rate), number = key.value();
    for (int64_t n = 0; n < x.numel(); ++n) {
      const bool kept = kernels::dropout_keeps(number, static_cast<uint64_t>(n), threshold);
      y.data_ptr<double>()[n] = kept ? x.data_ptr<double>()[n] / (1.0 - rate) : 0.0;
    }
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::Dropout{x.numel(), key.value(), rate, x.data_ptr<float>(), y.data_ptr<float>(),
                          at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    cuda::run(cuda::Dropout{x.numel(), gpu_key(key), rate, x.data_ptr<float>(), y.data_ptr<float>(), current_stream()});
  };
  dispatch(x, reference, on_cpu, on_gpu);
  return y;
}

struct DropoutFunction : OnceDifferentiable<DropoutFunction> {
  static constexpr const char* kName = "dropout";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, double rate, const MaskKey& key) {
    context->saved_data["rate"] = rate;
    keep(*context, key);
    return masked(x, rate, key);
  }
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    return {masked(grad_outputs[0].contiguous(), context->saved_data["rate"].toDouble(), kept_key(*context)), {}, {}};
  }
};

void check_rate(double rate) {
  if (!(rate >= 0 && rate < 1)) fail("dropout: rate is ", rate, ", expected 0 to below 1");
}

at::Tensor masked_by_tensor(const at::Tensor& x, double rate, const at::Tensor& key) {
  check_floating("dropout", "x", x);
  check_rate(rate);
  if (key.scalar_type() != at::kLong || key.numel() != 1) fail("dropout: key must be int64 [1]");
  return masked(x.contiguous(), rate, MaskKey(key, 0).to(x.device()));
}

// `columns`: of the dense matrix; `transposed`: the rows are those of its transpose.
at::Tensor masked_entries(const RowTensors& rows, bool transposed, int64_t columns, const at::Tensor& value,
                          double rate, const MaskKey& key) {
  at::Tensor out = at::empty_like(value);
  const auto* from = value.data_ptr<float>();
  auto* to = out.data_ptr<float>();
  const auto on_cpu = [&] {
    cpu::run(cpu::SparseDropout{cpu_rows(rows), transposed, columns, key.value(), rate, from, to,
                                at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    cuda::run(cuda::SparseDropout{gpu_rows(rows), transposed, columns, gpu_key(key), rate, from, to, current_stream()});
  };
  dispatch(value, on_cpu, on_gpu);
  return out;
}

}  // namespace

at::Tensor dropout(const at::Tensor& x, double rate, const MaskKey& key) {
  check_floating("dropout", "x", x);
  check_rate(rate);
  if (rate == 0) return x;
  return DropoutFunction::apply(x.contiguous(), rate, key.to(x.device()));
}

SparseTensors dropout(const SparseTensors& x, double rate, const MaskKey& key) {
  check_rate(rate);
  SparseTensors y = x;
  if (rate == 0) return y;
  const MaskKey here = key.to(x.value.device());
  y.value = masked_entries(rows_of(x), false, x.columns(), x.value, rate, here);
  y.transposed_value = masked_entries(transposed_rows_of(x), true, x.columns(), x.transposed_value, rate, here);
  return y;
}

TORCH_LIBRARY_FRAGMENT(geniepath, library) {
  const auto backward = [](at::TensorList grads, at::TensorList, const Wanted& wanted, const at::Tensor&,
                           double rate, const at::Tensor& key) {
    if (grads.size() != 1) fail("dropout_backward: grads has ", grads.size(), " tensors, expected 1");
    return wanted_gradients("dropout", wanted, {masked_by_tensor(grads[0], rate, key)});
  };
  define(library, {"dropout", "Tensor x, float rate, Tensor key"}, masked_by_tensor, backward);
}

}  // namespace ops
}  // namespace geniepath
