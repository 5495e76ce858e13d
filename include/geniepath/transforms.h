// What is done to a data set before a model sees it. Chosen and fitted once, recorded with the run, applied again at
// prediction.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "geniepath/dataset.h"
#include "geniepath/options.h"

namespace geniepath {

// In this order: graph, split, node features, feature transform, scale.
struct TransformOptions : Options {
  bool symmetrise = false;
  std::string self_loops = "keep";
  bool merge_duplicates = true;
  std::string split = "given";
  double train_fraction = 0.5, valid_fraction = 0.1, test_fraction = 0.4;
  int64_t split_seed = 1;
  std::string node_features = "given";
  int64_t svd_dimensions = 128;
  std::string feature_transform = "none";
  double feature_scale = 1;

  void visit(OptionVisitor& options) override;
};

// What was learned from the training data, to be applied again to other data of the same kind.
//   mean, deviation   f32 [P]: of the training nodes, where features are standardised (sparse: deviation alone)
//   svd               f32 [N, d]: the features themselves, since another graph has other ones
//   graph             i64 [2]: nodes and edges that svd or one-hot features belong to
struct FittedTransforms {
  TransformOptions options;
  std::map<std::string, at::Tensor> tensors;
};

FittedTransforms fit_transforms(const Dataset& data, const TransformOptions& options);

// The arrays of `data` are left as they are (they may be a mapped file): what changes is new.
Dataset apply_transforms(Dataset data, const FittedTransforms& fitted);

// What is done to features alone, for rows of nodes the data set does not have, sparse where its own are. Where the
// features were made from the graph, an Error.
Features apply_feature_transforms(const Features& features, const FittedTransforms& fitted);

}  // namespace geniepath
