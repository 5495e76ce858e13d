#include "ops/matmul.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/product.h"
#include "kernels/cuda/elementwise.h"
#include "ops/device.h"

namespace geniepath::ops {
namespace {

using kernels::Bf16;
namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;

template <class S>
cpu::MatrixView<S> view(const at::Tensor& x, Transpose turn) {
  const bool turned = turn == Transpose::kYes;
  return {static_cast<const S*>(x.data_ptr()), x.size(turned ? 1 : 0), x.size(turned ? 0 : 1), x.stride(0), turned};
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
  if (operand.is_cuda()) return false;
  return operand.scalar_type() == at::kBFloat16 ? cpu::has_matmul<Bf16>()
                                                : operand.scalar_type() == at::kFloat && cpu::has_matmul<float>();
}

void matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                 Precision precision, bool accumulate) {
  if (c.is_cuda()) {
    cuda_matmul_into(c, a, turn_a, b, turn_b, precision, accumulate);
  } else if (!matmul_is_ours(a)) {
    const at::Tensor product = at::mm(turned(a, turn_a), turned(b, turn_b));
    accumulate ? c.add_(product) : c.copy_(product);
  } else if (a.scalar_type() == at::kFloat) {
    multiply<float>(c, a, turn_a, b, turn_b, accumulate);
  } else {
    multiply<Bf16>(c, a, turn_a, b, turn_b, accumulate);
  }
}

at::Tensor as_operand(const at::Tensor& x, Precision precision) {
  // Asked only of bf16: finding out whether its product is worth using may take a trial.
  if (precision != Precision::kBf16) return x;
  return x.is_cuda() || cpu::has_matmul<Bf16>() ? as_stored(x, precision) : x;
}

at::Tensor as_stored(const at::Tensor& x, Precision precision) {
  if (precision != Precision::kBf16 || x.scalar_type() != at::kFloat) return x;
  const at::Tensor from = x.contiguous();
  at::Tensor to = at::empty(x.sizes(), x.options().dtype(at::kBFloat16));
  if (x.is_cuda()) {
    cuda::run(cuda::ToBf16{from.numel(), from.data_ptr<float>(), static_cast<Bf16*>(to.data_ptr()), current_stream()});
    return to;
  }
  cpu::run(cpu::ToBf16{from.numel(), from.data_ptr<float>(), static_cast<Bf16*>(to.data_ptr()), at::get_num_threads()});
  return to;
}

}  // namespace geniepath::ops
