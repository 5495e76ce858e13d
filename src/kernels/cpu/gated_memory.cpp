#include "kernels/cpu/gated_memory.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/parallel_for.h"
#include "kernels/cpu/elementwise.h"
#include "kernels/cpu/gates.h"
#include "kernels/cpu/matmul.h"

namespace geniepath::kernels::cpu {
namespace {

using Scratch = std::unique_ptr<float[]>;

Scratch scratch(int64_t count) { return std::make_unique_for_overwrite<float[]>(static_cast<size_t>(count)); }

// Kept between calls: allocated for every block, its pages would be faulted in every time.
float* thread_scratch(int64_t count) {
  thread_local std::vector<float> kept;
  kept.resize(std::max(kept.size(), static_cast<size_t>(count)));
  return kept.data();
}

// Rows divided into blocks, and these into runs of consecutive blocks. Gradients of weights are summed within each run
// by one thread, then over the runs in order.
class Blocks {
 public:
  explicit Blocks(int64_t rows)
      : rows_(rows),
        at_once_(std::clamp(rows / kFewest / kStep * kStep, kSmallest, kLargest)),
        count_((rows + at_once_ - 1) / at_once_) {}
  int64_t count() const { return count_; }
  int64_t at_once() const { return at_once_; }
  int64_t begin(int64_t block) const { return block * at_once_; }
  int64_t size(int64_t block) const { return std::min(at_once_, rows_ - begin(block)); }
  int64_t stretches() const {
    return std::min(count_, std::clamp(rows_ / kRowsAStretch, kFewStretches, kManyStretches));
  }
  int64_t first_of(int64_t stretch) const { return stretch * count_ / stretches(); }

 private:
  static constexpr int64_t kFewest = 16, kStep = 64, kSmallest = 128, kLargest = 1024;
  static constexpr int64_t kRowsAStretch = 4096, kFewStretches = 8, kManyStretches = 64;
  int64_t rows_, at_once_, count_;
};

// For pointers that may be null.
template <class T>
T* row(T* first, int64_t number, int64_t width) {
  return first == nullptr ? nullptr : first + number * width;
}

template <class S>
MatrixView<S> block_of(const S* first, int64_t rows, int64_t columns, bool transposed = false) {
  return transposed ? MatrixView<S>{first, columns, rows, columns, true} : MatrixView<S>{first, rows, columns, columns};
}

void add_to_rows(const float* bias, int64_t rows, int64_t width, float* to) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < width; ++k) to[r * width + k] += bias[k];
  }
}

void add_rows_to(float* sums, int64_t rows, int64_t width, const float* from) {
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t k = 0; k < width; ++k) sums[k] += from[r * width + k];
  }
}

// The gates of a block of rows, [count, 4K], beside its memory and output. `op` is either pass.
template <class Op>
void compute_gates(const Op& op, int64_t begin, int64_t count, float* gates, float* new_memory, float* out) {
  const int64_t width = op.width;
  const auto add_product = [&](const auto* input, const auto* w, bool accumulate) {
    matmul(block_of(input + begin * width, count, width), block_of(w, width, 4 * width), gates, 4 * width, accumulate);
  };
  add_product(op.x, op.w, false);
  if (op.mu != nullptr) add_product(op.mu, op.w + width * 4 * width, true);
  if (op.bias != nullptr) add_to_rows(op.bias, count, 4 * width, gates);
  run(GatesForward{count, width, gates, row(op.memory, begin, width), new_memory, out, 1});
}

template <class S>
void forward(const GatedMemoryForward<S>& op) {
  const int64_t width = op.width;
  const Blocks blocks(op.rows);
  parallel_for(op.threads, blocks.count(), [&](int64_t block) {
    const int64_t begin = blocks.begin(block);
    float* gates = op.gates == nullptr ? thread_scratch(blocks.at_once() * 4 * width) : op.gates + begin * 4 * width;
    compute_gates(op, begin, blocks.size(block), gates, op.new_memory + begin * width, op.out + begin * width);
  });
}

// The contribution of one run of blocks to the weights' gradients, in memory of its own.
template <class S>
class Stretch {
 public:
  Stretch(const GatedMemoryBackward<S>& op, const Blocks& blocks, float* grad_w, float* grad_bias)
      : op_(op),
        blocks_(blocks),
        grad_w_(grad_w),
        grad_bias_(grad_bias),
        grad_pre_(scratch(blocks.at_once() * 4 * op.width)),
        recomputed_(op.gates == nullptr ? scratch(blocks.at_once() * 6 * op.width) : nullptr),
        rounded_(std::is_same_v<S, float> ? nullptr : new S[static_cast<size_t>(blocks.at_once() * 4 * op.width)]) {
    if (grad_bias_ != nullptr) std::fill_n(grad_bias_, 4 * op.width, 0.0f);
  }

  void run_block(int64_t block, bool first) {
    const int64_t begin = blocks_.begin(block), count = blocks_.size(block), width = op_.width;
    run(GatesBackward{count, width, gates_of(begin, count), row(op_.memory, begin, width),
                      op_.new_memory + begin * width, op_.grad_out + begin * width,
                      row(op_.grad_new_memory, begin, width), grad_pre_.get(), row(op_.grad_memory, begin, width), 1});
    const S* operand = as_operand(count * 4 * width);
    const auto through = [&](const S* input, int64_t first_row, float* grad_input) {
      const int64_t at = first_row * 4 * width;
      matmul(block_of(operand, count, 4 * width), block_of(op_.w + at, width, 4 * width, true),
             grad_input + begin * width, width, false);
      matmul(block_of(input + begin * width, count, width, true), block_of(operand, count, 4 * width), grad_w_ + at,
             4 * width, !first);
    };
    through(op_.x, 0, op_.grad_x);
    if (op_.mu != nullptr) through(op_.mu, width, op_.grad_mu);
    if (grad_bias_ != nullptr) add_rows_to(grad_bias_, count, 4 * width, grad_pre_.get());
  }

 private:
  const float* gates_of(int64_t begin, int64_t count) {
    const int64_t width = op_.width, most = blocks_.at_once();
    if (!recomputed_) return op_.gates + begin * 4 * width;
    float* gates = recomputed_.get();
    compute_gates(op_, begin, count, gates, gates + most * 4 * width, gates + most * 5 * width);
    return gates;
  }

  const S* as_operand([[maybe_unused]] int64_t count) {
    if constexpr (std::is_same_v<S, float>) {
      return grad_pre_.get();
    } else {
      run(ToBf16{count, grad_pre_.get(), rounded_.get(), 1});
      return rounded_.get();
    }
  }

  const GatedMemoryBackward<S>& op_;
  const Blocks& blocks_;
  float *grad_w_, *grad_bias_;
  Scratch grad_pre_;
  Scratch recomputed_;  // gates, memory and output of a block
  std::unique_ptr<S[]> rounded_;
};

// to = the sum of `number` consecutive arrays of `count` elements, in order.
void add_up(const float* parts, int64_t number, int64_t count, float* to) {
  std::fill_n(to, count, 0.0f);
  for (int64_t part = 0; part < number; ++part) {
    for (int64_t k = 0; k < count; ++k) to[k] += parts[part * count + k];
  }
}

template <class S>
void backward(const GatedMemoryBackward<S>& op) {
  const Blocks blocks(op.rows);
  const int64_t gates = 4 * op.width, weights = op.width * gates * (op.mu == nullptr ? 1 : 2);
  const Scratch grad_w = scratch(blocks.stretches() * weights);
  const Scratch grad_bias = op.grad_bias == nullptr ? nullptr : scratch(blocks.stretches() * gates);
  parallel_for(op.threads, blocks.stretches(), [&](int64_t s) {
    Stretch<S> stretch(op, blocks, grad_w.get() + s * weights, row(grad_bias.get(), s, gates));
    const int64_t first = blocks.first_of(s), last = blocks.first_of(s + 1);
    for (int64_t block = first; block < last; ++block) stretch.run_block(block, block == first);
  });
  add_up(grad_w.get(), blocks.stretches(), weights, op.grad_w);
  if (op.grad_bias != nullptr) add_up(grad_bias.get(), blocks.stretches(), gates, op.grad_bias);
}

}  // namespace

void run(const GatedMemoryForward<float>& op) { forward(op); }
void run(const GatedMemoryForward<Bf16>& op) { forward(op); }
void run(const GatedMemoryBackward<float>& op) { backward(op); }
void run(const GatedMemoryBackward<Bf16>& op) { backward(op); }

}  // namespace geniepath::kernels::cpu
