#include "ops/matmul.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/product.h"
#include "kernels/cuda/elementwise.h"
#include "ops/backend.h"
#include "ops/device.h"

namespace geniepath::ops {
namespace {

template <class S>
cpu::MatrixView<S> view(const at::Tensor& x, Transpose turn) {
  const bool turned = turn == Transpose::kYes;
  return {pointer<S>(x), x.size(turned ? 1 : 0), x.size(turned ? 0 : 1), x.stride(0), turned};
}

template <class S>
void multiply(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
              bool accumulate) {
  cpu::run(cpu::Product<S>{view<S>(a, turn_a), view<S>(b, turn_b), c.data_ptr<float>(), c.stride(0), accumulate,
                           at::get_num_threads()});
}

at::Tensor turned(const at::Tensor& x, Transpose turn) { return turn == Transpose::kYes ? x.t() : x; }

}  // namespace

bool matmul_is_ours(const at::Tensor& operand) {
  return backend_of(operand) == Backend::kCpu &&
         with_storage_of(operand, [](auto storage) { return cpu::has_matmul<decltype(storage)>(); });
}

void matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                 Precision precision, bool accumulate) {
  const auto plain = [&] {
    const at::Tensor product = at::mm(turned(a, turn_a), turned(b, turn_b));
    accumulate ? c.add_(product) : c.copy_(product);
  };
  const auto on_cpu = [&] {
    if (!matmul_is_ours(a)) return plain();
    with_storage_of(a, [&](auto storage) { multiply<decltype(storage)>(c, a, turn_a, b, turn_b, accumulate); });
  };
  const auto on_gpu = [&] { cuda_matmul_into(c, a, turn_a, b, turn_b, precision, accumulate); };
  dispatch(c, plain, on_cpu, on_gpu);
}

at::Tensor as_operand(const at::Tensor& x, Precision precision) {
  // has_matmul() is called only for bf16: finding out whether its products are faster may take a trial.
  if (precision != Precision::kBf16) return x;
  return backend_of(x) == Backend::kGpu || cpu::has_matmul<Bf16>() ? as_stored(x, precision) : x;
}

at::Tensor as_stored(const at::Tensor& x, Precision precision) {
  if (precision != Precision::kBf16 || x.scalar_type() != at::kFloat) return x;
  const at::Tensor from = x.contiguous();
  at::Tensor to = at::empty(x.sizes(), x.options().dtype(at::kBFloat16));
  const auto on_cpu = [&] {
    cpu::run(cpu::ToBf16{from.numel(), from.data_ptr<float>(), pointer<Bf16>(to), at::get_num_threads()});
  };
  const auto on_gpu = [&] {
    cuda::run(cuda::ToBf16{from.numel(), from.data_ptr<float>(), pointer<Bf16>(to), current_stream()});
  };
  dispatch(x, on_cpu, on_gpu);
  return to;
}

}  // namespace geniepath::ops
