#include "kernels/cpu/gates.h"

#include "base/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/gates.cpp"
#include <hwy/foreach_target.h>

#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace geniepath::kernels::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int64_t kRowsAtOnce = 16;

template <class D>
HWY_INLINE hn::Vec<D> load_or_zero(D d, const float* from, size_t at) {
  return from == nullptr ? hn::Zero(d) : hn::LoadU(d, from + at);
}

void forward_row(const GatesForward& op, size_t row) {
  const auto width = static_cast<size_t>(op.width);
  float* gates = op.gates + row * 4 * width;
  for_each_vector(width, [&](auto d, size_t k) HWY_ATTR {
    const size_t to = row * width + k;
    const auto input = sigmoid(d, hn::LoadU(d, gates + k));
    const auto forget = sigmoid(d, hn::LoadU(d, gates + width + k));
    const auto output = sigmoid(d, hn::LoadU(d, gates + 2 * width + k));
    const auto candidate = hyperbolic_tangent(d, hn::LoadU(d, gates + 3 * width + k));
    const auto memory = hn::MulAdd(forget, load_or_zero(d, op.memory, to), hn::Mul(input, candidate));
    hn::StoreU(input, d, gates + k);
    hn::StoreU(forget, d, gates + width + k);
    hn::StoreU(output, d, gates + 2 * width + k);
    hn::StoreU(candidate, d, gates + 3 * width + k);
    hn::StoreU(memory, d, op.new_memory + to);
    hn::StoreU(hn::Mul(output, hyperbolic_tangent(d, memory)), d, op.out + to);
  });
}

void backward_row(const GatesBackward& op, size_t row) {
  const auto width = static_cast<size_t>(op.width);
  const float* gates = op.gates + row * 4 * width;
  float* grad_pre = op.grad_pre + row * 4 * width;
  for_each_vector(width, [&](auto d, size_t k) HWY_ATTR {
    const size_t to = row * width + k;
    const auto one = hn::Set(d, 1.0f);
    const auto input = hn::LoadU(d, gates + k), forget = hn::LoadU(d, gates + width + k);
    const auto output = hn::LoadU(d, gates + 2 * width + k), candidate = hn::LoadU(d, gates + 3 * width + k);
    const auto squashed = hyperbolic_tangent(d, hn::LoadU(d, op.new_memory + to));
    const auto grad_out = hn::LoadU(d, op.grad_out + to);
    const auto through = hn::Mul(hn::Mul(grad_out, output), hn::NegMulAdd(squashed, squashed, one));
    const auto grad_c = hn::Add(load_or_zero(d, op.grad_new_memory, to), through);
    const auto slope = [&](auto gate) HWY_ATTR { return hn::NegMulAdd(gate, gate, gate); };
    hn::StoreU(hn::Mul(hn::Mul(grad_c, candidate), slope(input)), d, grad_pre + k);
    hn::StoreU(hn::Mul(hn::Mul(grad_c, load_or_zero(d, op.memory, to)), slope(forget)), d, grad_pre + width + k);
    hn::StoreU(hn::Mul(hn::Mul(grad_out, squashed), slope(output)), d, grad_pre + 2 * width + k);
    hn::StoreU(hn::Mul(hn::Mul(grad_c, input), hn::NegMulAdd(candidate, candidate, one)), d, grad_pre + 3 * width + k);
    if (op.grad_memory != nullptr) hn::StoreU(hn::Mul(grad_c, forget), d, op.grad_memory + to);
  });
}

}  // namespace

void gates_forward(const GatesForward& op) {
  parallel_ranges(op.threads, op.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t row = begin; row < end; ++row) forward_row(op, static_cast<size_t>(row));
  });
}

void gates_backward(const GatesBackward& op) {
  parallel_ranges(op.threads, op.rows, kRowsAtOnce, [&](int64_t begin, int64_t end) HWY_ATTR {
    for (int64_t row = begin; row < end; ++row) backward_row(op, static_cast<size_t>(row));
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace geniepath::kernels::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
GENIEPATH_RUN(GatesForward, gates_forward)
GENIEPATH_RUN(GatesBackward, gates_backward)
#endif
