// Preparation of a data set for a model: fitted once, recorded with the run, and applied again for predictions.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Self-loops in the data: kept or removed. The models add their own.
template <>
inline constexpr auto kNames<SelfLoops> =
    names<SelfLoops>({{SelfLoops::kKeep, "keep"}, {SelfLoops::kRemove, "remove"}});

// Training, validation and test nodes: as given in the data, drawn at random, or drawn with the classes in equal
// proportions, by fractions or in folds of equal size: one for testing, the next one for validation, the others for
// training.
enum class SplitKind { kGiven, kRandom, kStratified, kFolds };
template <>
inline constexpr auto kNames<SplitKind> = names<SplitKind>({{SplitKind::kGiven, "given"},
                                                            {SplitKind::kRandom, "random"},
                                                            {SplitKind::kStratified, "stratified"},
                                                            {SplitKind::kFolds, "folds"}});

// Features as given in the data, one-hot node ids (sparse), or the leading singular vectors of the adjacency matrix,
// each times the root of its singular value.
enum class NodeFeatures { kGiven, kOneHot, kSvd };
template <>
inline constexpr auto kNames<NodeFeatures> = names<NodeFeatures>(
    {{NodeFeatures::kGiven, "given"}, {NodeFeatures::kOneHot, "one-hot"}, {NodeFeatures::kSvd, "svd"}});

// kRowNormalise divides each row by the sum of its magnitudes. kStandardise brings each feature to mean 0 and deviation
// 1 over the training nodes; sparse features are divided but not shifted, to stay sparse.
enum class FeatureTransform { kNone, kRowNormalise, kStandardise };
template <>
inline constexpr auto kNames<FeatureTransform> =
    names<FeatureTransform>({{FeatureTransform::kNone, "none"},
                             {FeatureTransform::kRowNormalise, "row-normalise"},
                             {FeatureTransform::kStandardise, "standardise"}});

// Applied in this order: graph, split, node features, feature transform, scale.
struct TransformOptions : Options {
  bool symmetrise = false;
  SelfLoops self_loops = SelfLoops::kKeep;
  bool merge_duplicates = true;
  SplitKind split = SplitKind::kGiven;
  double train_fraction = 0.5, valid_fraction = 0.1, test_fraction = 0.4;
  int64_t split_seed = 1;
  int64_t folds = 5, fold = 1;
  NodeFeatures node_features = NodeFeatures::kGiven;
  int64_t svd_dimensions = 128;
  FeatureTransform feature_transform = FeatureTransform::kNone;
  double feature_scale = 1;

  void visit(OptionVisitor& options) override;
};

// Options with the tensors fitted to the training data, for applying to other data of the same kind:
//   mean, deviation   f32 [P]: over the training nodes, if features are standardised (sparse: only deviation)
//   svd               f32 [N, d]: the features themselves, since they are only defined for this graph
//   graph             i64 [2]: numbers of nodes and edges of the graph that svd or one-hot features belong to
struct FittedTransforms {
  TransformOptions options;
  std::map<std::string, at::Tensor> tensors;
};

FittedTransforms fit_transforms(const Dataset& data, const TransformOptions& options);

// Draws no split if the data has no labels. Never writes to the arrays of `data`, which may be a mapped file; changed
// arrays are new, the others shared.
Dataset apply_transforms(Dataset data, const FittedTransforms& fitted);

// Applies only the feature transform and scale, to features of nodes outside the data set, sparse if the data set's own
// are. An Error if the features were made from the graph (one-hot, svd).
Features apply_feature_transforms(const Features& features, const FittedTransforms& fitted);

}  // namespace geniepath
