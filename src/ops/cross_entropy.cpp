#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "geniepath/ops.h"
#include "kernels/cpu/cross_entropy.h"
#include "kernels/cuda/cross_entropy.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/device.h"

namespace geniepath::ops {
namespace {

// Loss and gradient are computed in one pass.
struct SigmoidCrossEntropy : OnceDifferentiable<SigmoidCrossEntropy> {
  static constexpr const char* kName = "sigmoid_cross_entropy";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& logits, const at::Tensor& targets,
                            const c10::optional<at::Tensor>& positive_weight) {
    const at::Tensor grad = at::empty_like(logits);
    at::Tensor loss = at::empty({}, logits.options());
    const float* weight = positive_weight ? positive_weight->data_ptr<float>() : nullptr;
    const auto on_cpu = [&] {
      cpu::run(cpu::SigmoidCrossEntropy{logits.size(0), logits.size(1), logits.data_ptr<float>(),
                                        targets.data_ptr<float>(), weight, grad.data_ptr<float>(),
                                        loss.data_ptr<float>(), at::get_num_threads()});
    };
    const auto on_gpu = [&] {
      const at::Tensor scratch = at::empty({cuda::kLossBlocks}, logits.options().dtype(at::kDouble));
      cuda::run(cuda::SigmoidCrossEntropy{logits.size(0), logits.size(1), logits.data_ptr<float>(),
                                          targets.data_ptr<float>(), weight, grad.data_ptr<float>(),
                                          loss.data_ptr<float>(), scratch.data_ptr<double>(), current_stream()});
    };
    dispatch(logits, on_cpu, on_gpu);
    context->save_for_backward({grad});
    return loss;
  }
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    return {context->get_saved_variables()[0] * grad_outputs[0], {}, {}};
  }
};

}  // namespace

at::Tensor sigmoid_cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                                 const at::Tensor& positive_weight) {
  constexpr const char* kOp = "sigmoid_cross_entropy";
  check_matrix(kOp, "logits", logits, -1, -1, logits);
  check_matrix(kOp, "targets", targets, logits.size(0), logits.size(1), logits);
  if (positive_weight.defined()) check_vector(kOp, "positive_weight", positive_weight, logits.size(1), logits);
  if (logits.scalar_type() == at::kDouble) {
    return at::binary_cross_entropy_with_logits(logits, targets, {}, positive_weight);
  }
  return SigmoidCrossEntropy::apply(logits.contiguous(), targets.contiguous(), optional(positive_weight));
}

}  // namespace geniepath::ops
