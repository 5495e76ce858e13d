// What training makes small, and what its outputs mean as probabilities.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/train.h"

namespace geniepath::training {

// Columns a model needs: one per class, one per label, one for binary.
int64_t num_outputs(Task task, int64_t num_classes);

// "cross-entropy", the paper's: softmax's (multi-class) or sigmoid's (multi-label, binary), mean over the nodes.
at::Tensor cross_entropy(const LossInput& input);

std::vector<std::string> loss_names();  // registered ones last
Loss loss_named(const std::string& name);
// A GPU may replay a step of ours; what a registered loss does is not known.
bool is_replayable(const std::string& loss);

// Weights that give rare classes the say of common ones: N / (C n_c), or negatives / positives. Classes nobody has
// weigh 1.
at::Tensor balanced_weights(Task task, const at::Tensor& labels, int64_t num_classes);

// An Error where logits are so large, or NaN, that one is no number.
at::Tensor probabilities_of(Task task, const at::Tensor& logits);

// rows: [M, C], one row per node. An Error counts the nodes of which a number is NaN or infinite.
void check_rows_finite(const at::Tensor& rows, const char* what);

}  // namespace geniepath::training
