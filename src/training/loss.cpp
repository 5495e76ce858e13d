#include "training/loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "base/registry.h"
#include "geniepath/error.h"
#include "geniepath/ops.h"

namespace geniepath::training {
namespace {

constexpr const char* kCrossEntropy = "cross-entropy";

Registry<Loss>& losses() {
  static Registry<Loss> registry("loss", {{kCrossEntropy, cross_entropy}});
  return registry;
}

at::Tensor targets_of(Task task, const at::Tensor& labels, const at::Tensor& like) {
  return task == Task::kBinary ? labels.to(like.scalar_type()).unsqueeze(1) : labels.to(like.scalar_type());
}

}  // namespace

int64_t num_outputs(Task task, int64_t num_classes) { return task == Task::kBinary ? 1 : num_classes; }

at::Tensor cross_entropy(const LossInput& input) {
  const auto& [task, scores, labels, weights] = input;
  if (task == Task::kMultiClass) return at::cross_entropy_loss(scores, labels, weights);
  return ops::sigmoid_cross_entropy(scores, targets_of(task, labels, scores), weights);
}

std::vector<std::string> loss_names() { return losses().names(); }

Loss loss_named(const std::string& name) { return losses().at(name); }

bool is_replayable(const std::string& loss) { return loss == kCrossEntropy; }

at::Tensor inconsistency(Task task, const std::vector<at::Tensor>& scores) {
  const bool one_class = task == Task::kMultiClass;
  const at::Tensor all = at::stack(scores);
  // A label by itself is a class beside another, of score 0. Not by LibTorch's sigmoid, for the reason at sigmoid_of.
  const at::Tensor probabilities = at::softmax(one_class ? all : at::stack({all, at::zeros_like(all)}, 3), -1);
  const at::Tensor sharp = probabilities.detach().mean(0).square();  // 1 / temperature = 2
  const at::Tensor difference = probabilities - sharp / sharp.sum(-1, true);
  // In steps, none of which divides a sum among threads: the bits do not depend on the number of threads.
  return (one_class ? difference : difference.select(3, 0)).square().sum(2).mean(1).mean();
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

at::Tensor guessed_scores(Task task, const at::Tensor& labels, int64_t num_classes, const at::Tensor& class_weights) {
  const auto nodes = static_cast<double>(labels.size(0));
  const at::Tensor weights =
      class_weights.defined() ? class_weights.to(at::kCPU, at::kDouble) : at::ones({1}, at::kDouble);
  if (task == Task::kMultiClass) {
    const at::Tensor scores = ((at::bincount(labels, {}, num_classes).to(at::kDouble) + 0.5) * weights).log();
    return (scores - scores.mean()).to(at::kFloat);
  }
  const at::Tensor positives = targets_of(task, labels, at::zeros({1}, at::kDouble)).sum(0) + 0.5;
  return (weights * positives / (nodes + 1 - positives)).log().to(at::kFloat);
}

namespace {

// LibTorch's own has another formula for the last values of each thread's part, so that a node's bits would depend on
// the number of nodes. Where gradients are needed, LibTorch's.
at::Tensor sigmoid_of(const at::Tensor& logits) {
  if (!logits.is_cpu() || logits.scalar_type() != at::kFloat || logits.requires_grad()) return at::sigmoid(logits);
  constexpr int64_t kAtOnce = 1 << 12;
  const at::Tensor x = logits.contiguous();
  at::Tensor y = at::empty_like(x);
  const auto* from = x.data_ptr<float>();
  auto* to = y.data_ptr<float>();
  at::parallel_for(0, x.numel(), kAtOnce, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) to[n] = static_cast<float>(1 / (1 + std::exp(-static_cast<double>(from[n]))));
  });
  return y;
}

}  // namespace

at::Tensor probabilities_of(Task task, const at::Tensor& logits) {
  const at::Tensor probabilities = task == Task::kMultiClass ? at::softmax(logits, 1) : sigmoid_of(logits);
  check_rows_finite(probabilities, "predictions");
  return probabilities;
}

void check_rows_finite(const at::Tensor& rows, const char* what) {
  const at::Tensor finite = rows.isfinite();
  if (finite.all().item<bool>()) return;
  fail(what, ": ", finite.logical_not().any(1).sum().item<int64_t>(), " of ", rows.size(0),
       " nodes get NaN or infinite numbers");
}

}  // namespace geniepath::training

namespace geniepath {

void register_loss(const std::string& name, Loss loss) { training::losses().add(name, std::move(loss)); }

}  // namespace geniepath
