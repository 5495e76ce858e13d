// Losses, and the mapping of a model's outputs to probabilities.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/train.h"

namespace geniepath::training {

// Output columns of a model: one per class, one per label, or one for binary tasks.
int64_t num_outputs(Task task, int64_t num_classes);

// "cross-entropy", the paper's loss, after softmax (multi-class) or sigmoid (multi-label, binary); mean over the nodes.
at::Tensor cross_entropy(const LossInput& input);

std::vector<std::string> loss_names();  // registered losses last
Loss loss_named(const std::string& name);
// Whether a CUDA graph may replay a step with this loss: only our own, since a registered one may do anything.
bool is_replayable(const std::string& loss);

// Mean squared distance, over nodes and passes, between a pass's probabilities and their mean over the passes,
// sharpened and held constant: the consistency regularisation of GRAND (Feng et al. 2020), at its temperature of 0.5.
// `scores` are those of each pass, [N, outputs].
at::Tensor inconsistency(Task task, const std::vector<at::Tensor>& scores);

// Class weights that balance rare and common classes: N / (C n_c), or negatives / positives (at least 0.001). A class
// without nodes weighs 1.
at::Tensor balanced_weights(Task task, const at::Tensor& labels, int64_t num_classes);

// Scores of a guess without features, from the labels' frequencies [outputs]: those of the least cross-entropy, with
// one half node more on either side. class_weights may be undefined.
at::Tensor guessed_scores(Task task, const at::Tensor& labels, int64_t num_classes, const at::Tensor& class_weights);

// An Error if a probability is NaN, as with NaN or infinite logits.
at::Tensor probabilities_of(Task task, const at::Tensor& logits);

// rows: [M, C], one row per node. The Error states the number of nodes with NaN or infinite values.
void check_rows_finite(const at::Tensor& rows, const char* what);

}  // namespace geniepath::training
