#include "train/loss.h"

#include <ATen/ATen.h>

#include "geniepath/error.h"
#include "geniepath/ops.h"

namespace geniepath::training {
namespace {

at::Tensor targets_of(Task task, const at::Tensor& labels, const at::Tensor& like) {
  return task == Task::kBinary ? labels.to(like.scalar_type()).unsqueeze(1) : labels.to(like.scalar_type());
}

}  // namespace

int64_t num_outputs(Task task, int64_t num_classes) { return task == Task::kBinary ? 1 : num_classes; }

at::Tensor loss_of(Task task, const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& weights) {
  if (task == Task::kMultiClass) return at::cross_entropy_loss(logits, labels, weights);
  return ops::sigmoid_cross_entropy(logits, targets_of(task, labels, logits), weights);
}

at::Tensor balanced_weights(Task task, const at::Tensor& labels, int64_t num_classes) {
  const auto nodes = static_cast<double>(labels.size(0));
  if (task == Task::kMultiClass) {
    const at::Tensor count = at::bincount(labels, {}, num_classes).to(at::kDouble);
    const at::Tensor weight = nodes / (count * static_cast<double>(num_classes));
    return at::where(count > 0, weight, at::ones_like(weight)).to(at::kFloat);
  }
  const at::Tensor positives = targets_of(task, labels, at::zeros({1}, at::kDouble)).sum(0);
  const at::Tensor weight = (nodes - positives) / positives;
  return at::where(positives > 0, weight, at::ones_like(weight)).clamp_min(1e-3).to(at::kFloat);
}

at::Tensor probabilities_of(Task task, const at::Tensor& logits) {
  const at::Tensor probabilities = task == Task::kMultiClass ? at::softmax(logits, 1) : at::sigmoid(logits);
  check_rows_finite(probabilities, "predictions");
  return probabilities;
}

void check_rows_finite(const at::Tensor& rows, const char* what) {
  const at::Tensor finite = rows.isfinite();
  if (finite.all().item<bool>()) return;
  fail(what, ": ", finite.logical_not().any(1).sum().item<int64_t>(), " of ", rows.size(0),
       " nodes get numbers that are NaN or infinite");
}

}  // namespace geniepath::training
