// What is done to a data set before a model sees it. Chosen and fitted once, recorded with the run, applied again at
// prediction.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Edges from a node to itself in the data: kept or removed. The models add their own.
template <>
inline constexpr auto kNames<SelfLoops> =
    names<SelfLoops>({{SelfLoops::kKeep, "keep"}, {SelfLoops::kRemove, "remove"}});

// Nodes to train, validate and test on: as the data has them, drawn at random, or drawn with the classes in equal
// proportions.
enum class SplitKind { kGiven, kRandom, kStratified };
template <>
inline constexpr auto kNames<SplitKind> =
    names<SplitKind>({{SplitKind::kGiven, "given"}, {SplitKind::kRandom, "random"}, {SplitKind::kStratified, "stratified"}});

// As the data has them, one-hot node ids (sparse), or the leading singular vectors of the adjacency matrix.
enum class NodeFeatures { kGiven, kOneHot, kSvd };
template <>
inline constexpr auto kNames<NodeFeatures> = names<NodeFeatures>(
    {{NodeFeatures::kGiven, "given"}, {NodeFeatures::kOneHot, "one-hot"}, {NodeFeatures::kSvd, "svd"}});

enum class FeatureTransform { kNone, kRowNormalise, kStandardise };
template <>
inline constexpr auto kNames<FeatureTransform> =
    names<FeatureTransform>({{FeatureTransform::kNone, "none"},
                             {FeatureTransform::kRowNormalise, "row-normalise"},
                             {FeatureTransform::kStandardise, "standardise"}});

// In this order: graph, split, node features, feature transform, scale.
struct TransformOptions : Options {
  bool symmetrise = false;
  SelfLoops self_loops = SelfLoops::kKeep;
  bool merge_duplicates = true;
  SplitKind split = SplitKind::kGiven;
  double train_fraction = 0.5, valid_fraction = 0.1, test_fraction = 0.4;
  int64_t split_seed = 1;
  NodeFeatures node_features = NodeFeatures::kGiven;
  int64_t svd_dimensions = 128;
  FeatureTransform feature_transform = FeatureTransform::kNone;
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
