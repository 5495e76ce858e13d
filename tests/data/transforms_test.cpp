#include "geniepath/transforms.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "data/transforms/feature_scaling.h"
#include "data/transforms/refit_transforms.h"
#include "expect_error.h"
#include "small_dataset.h"

namespace geniepath {
namespace {

using testing::small_dataset;
using testing::small_sparse;
using testing::small_union;

Dataset transformed(const Dataset& data, const TransformOptions& options) {
  return apply_transforms(data, fit_transforms(data, options));
}

TransformOptions with_features(FeatureTransform transform) {
  TransformOptions options;
  options.feature_transform = transform;
  return options;
}

TransformOptions with_nodes(NodeFeatures node_features) {
  TransformOptions options;
  options.node_features = node_features;
  options.svd_dimensions = 3;
  return options;
}

TEST(Transforms, ByDefaultChangeNothing) {
  const Dataset data = small_dataset();
  const Dataset same = transformed(data, {});
  EXPECT_TRUE(same.features.dense().is_same(data.features.dense()));
  EXPECT_EQ(same.graph.incoming().neighbour.data(), data.graph.incoming().neighbour.data());
  EXPECT_EQ(same.train, data.train);
}

TEST(Transforms, StandardiseOverTheTrainingNodes) {
  Dataset data = small_dataset();
  data.features =
      at::tensor({1.f, 7.f, 0.1f, 5.f, 7.f, 0.1f, 9.f, 8.f, 0.1f, 3.f, 7.f, 0.1f, 0.f, 0.f, 0.f}).view({5, 3});
  const at::Tensor given = data.features.dense().clone();
  const at::Tensor x = transformed(data, with_features(FeatureTransform::kStandardise)).features.dense();
  // Training rows 0 and 1: feature 0 has mean 3 and population deviation 2, the others are constant.
  EXPECT_TRUE(at::allclose(x.select(1, 0), at::tensor({-1.f, 1.f, 3.f, 0.f, -1.5f})));
  EXPECT_TRUE(at::allclose(x.select(1, 1), at::tensor({0.f, 0.f, 1.f, 0.f, -7.f})));
  EXPECT_TRUE(at::allclose(x.select(1, 2), at::tensor({0.f, 0.f, 0.f, 0.f, -0.1f})));
  EXPECT_TRUE(data.features.dense().equal(given));  // may be a mapped file
}

TEST(Transforms, DrawNoSplitOfDataWithoutLabels) {
  TransformOptions options;
  options.split = SplitKind::kRandom;
  const FittedTransforms fitted = fit_transforms(small_dataset(), options);
  Dataset other = small_dataset();
  other.labels.fill_(-1);
  other.train = other.valid = other.test = {};
  const Dataset prepared = apply_transforms(other, fitted);
  EXPECT_TRUE(prepared.train.empty() && prepared.valid.empty() && prepared.test.empty());
  EXPECT_ERROR(fit_transforms(other, options), "has no labelled node");
}

TEST(Transforms, ApplyToOtherDataWhatTheTrainingDataTaught) {
  const FittedTransforms fitted = fit_transforms(small_dataset(), with_features(FeatureTransform::kStandardise));
  Dataset other = small_dataset();
  other.features = at::full({5, 3}, 1.5f);
  other.train = {};
  const at::Tensor x = apply_transforms(other, fitted).features.dense();
  EXPECT_TRUE(at::allclose(x[4], at::tensor({0.f, -1.f / 1.5f, -2.f / 1.5f})));  // means 1.5 2.5 3.5, deviations 1.5
  other.features = at::full({5, 2}, 1.5f);
  EXPECT_ERROR(apply_transforms(other, fitted), "'mean' has 3 rows of Float, but the data needs 2");
}

TEST(Transforms, ScaleSparseFeaturesWithoutShiftingThem) {
  Dataset data = small_dataset();
  data.features = small_sparse();
  data.train = {0, 1, 2, 3};
  const FittedTransforms fitted = fit_transforms(data, with_features(FeatureTransform::kStandardise));
  EXPECT_EQ(fitted.tensors.count("mean"), 0u);
  const Features x = apply_transforms(data, fitted).features;
  ASSERT_TRUE(x.is_sparse());
  EXPECT_EQ(x.num_nonzeros(), 6);
  const at::Tensor rows = small_sparse().to_dense().narrow(0, 0, 4);
  const at::Tensor deviation = rows.std(0, /*unbiased=*/false);  // the zeros count
  EXPECT_TRUE(at::allclose(x.sparse().to_dense(), small_sparse().to_dense() / deviation));
}

// Two accounts with a date, of which both train, and three devices with a price.
Dataset accounts_and_devices() {
  Dataset data = small_dataset();
  data.features = at::tensor({20000.f, 0.f, 20002.f, 0.f, 0.f, 5.f, 0.f, 9.f, 0.f, 7.f}).view({5, 2});
  data.type_names = {"account", "device"};
  data.node_type = {0, 0, 1, 1, 1};
  data.train = {0, 1};
  return data;
}

TEST(Transforms, StandardiseAColumnOverTheKindsThatHaveIt) {
  Dataset data = accounts_and_devices();
  const float unit = std::sqrt(8.f / 3);  // deviation of 5, 9 and 7
  const at::Tensor expected = at::tensor({-1.f, 0.f, 1.f, 0.f, 0.f, -2 / unit, 0.f, 2 / unit, 0.f, 0.f}).view({5, 2});
  const TransformOptions options = with_features(FeatureTransform::kStandardise);
  EXPECT_TRUE(at::allclose(transformed(data, options).features.dense(), expected));

  SparseMatrix sparse{5, 2, std::vector<int64_t>{0, 1, 2, 3, 4, 5}, std::vector<int32_t>{0, 0, 1, 1, 1},
                      std::vector<float>{20000, 20002, 5, 9, 7}};
  data.features = Features(std::move(sparse));
  EXPECT_TRUE(at::allclose(transformed(data, options).features.sparse().to_dense(), expected));
}

TEST(Transforms, LearnNothingFromNodesUnseenWhileTraining) {
  Dataset data = accounts_and_devices();
  data.inductive = true;
  const at::Tensor x = transformed(data, with_features(FeatureTransform::kStandardise)).features.dense();
  EXPECT_TRUE(x.select(1, 1).equal(data.features.dense().select(1, 1)));
}

TEST(Transforms, ZeroIsAValueOfAColumnThatHasZeros) {
  Dataset data = accounts_and_devices();
  data.features = at::tensor({0.f, 0.f, 4.f, 0.f, 0.f, 5.f, 0.f, 9.f, 0.f, 7.f}).view({5, 2});
  const at::Tensor x = transformed(data, with_features(FeatureTransform::kStandardise)).features.dense();
  EXPECT_TRUE(at::allclose(x.select(1, 0), at::tensor({-1.f, 1.f, -1.f, -1.f, -1.f})));
}

TEST(Transforms, AStoredZeroIsAValueWhereThereIsOneKind) {
  Dataset data = accounts_and_devices();
  data.node_type = {}, data.type_names = {};
  data.train = {0, 1, 2};
  data.features = SparseMatrix{5, 1, std::vector<int64_t>{0, 1, 2, 3, 4, 4}, std::vector<int32_t>{0, 0, 0, 0},
                               std::vector<float>{10, 20, 30, 0}};
  const Features x = transformed(data, with_features(FeatureTransform::kStandardise)).features;
  const float unit = std::sqrt(200.f / 3);
  EXPECT_TRUE(at::allclose(x.sparse().to_dense(),
                           at::tensor({-10 / unit, 0.f, 10 / unit, -20 / unit, 0.f}).view({5, 1})))
      << "the last node lacks the feature";
}

TEST(Transforms, StandardiseLongNumbersThatDifferLittle) {
  Dataset data = small_dataset();
  data.train = {0, 1, 2};
  data.features = at::tensor({1.5e9f, 7.f, 1.5e9f + 128, 7.f, 1.5e9f + 256, 7.f, 1.5e9f, 8.f, 1.5e9f, 6.f}).view({5, 2});
  const at::Tensor x = transformed(data, with_features(FeatureTransform::kStandardise)).features.dense();
  const float unit = 128 * std::sqrt(2.f / 3);
  EXPECT_TRUE(at::allclose(x, at::tensor({-128 / unit, 0.f, 0.f, 0.f, 128 / unit, 0.f, -128 / unit, 1.f, -128 / unit, -1.f})
                                  .view({5, 2})));
}

TEST(Transforms, MomentsAgreeBetweenSparseAndDense) {
  const std::vector<std::vector<NodeId>> rows{{0, 2, 3}};
  const FeatureMoments sparse = feature_moments(small_sparse(), rows);
  const FeatureMoments dense = feature_moments(small_sparse().to_dense(), rows);
  EXPECT_TRUE(sparse.never_zero.equal(dense.never_zero));
  EXPECT_TRUE(at::allclose(sparse.mean, dense.mean));
  EXPECT_TRUE(at::allclose(sparse.deviation, dense.deviation));
}

TEST(Transforms, NormaliseRows) {
  Dataset data = small_dataset();
  data.features = at::tensor({1.f, 3.f, 0.f, 0.f, -1.f, 1.f, 2.f, 2.f, 5.f, 0.f}).view({5, 2});
  const at::Tensor expected = at::tensor({.25f, .75f, 0.f, 0.f, -.5f, .5f, .5f, .5f, 1.f, 0.f}).view({5, 2});
  EXPECT_TRUE(
      at::allclose(transformed(data, with_features(FeatureTransform::kRowNormalise)).features.dense(), expected));
  data.features = small_sparse();
  const Features x = transformed(data, with_features(FeatureTransform::kRowNormalise)).features;
  ASSERT_TRUE(x.is_sparse());
  EXPECT_TRUE(at::allclose(x.sparse().to_dense().sum(1), at::tensor({1.f, 0.f, 1.f, 1.f, 1.f})));
}

TEST(Transforms, ScaleLast) {
  TransformOptions options = with_features(FeatureTransform::kRowNormalise);
  options.feature_scale = 10;
  EXPECT_TRUE(at::allclose(transformed(small_dataset(), options).features.dense().sum(1), at::full({5}, 10.f)));
}

TEST(Transforms, MakeNodeIdsSparse) {
  const Dataset data = transformed(small_dataset(), with_nodes(NodeFeatures::kOneHot));
  ASSERT_TRUE(data.features.is_sparse());
  EXPECT_EQ(data.features.num_nonzeros(), 5);
  EXPECT_TRUE(data.features.sparse().to_dense().equal(at::eye(5)));
}

TEST(Transforms, MakeSingularVectorsWhoseProductIsNearTheGraph) {
  TransformOptions options = with_nodes(NodeFeatures::kSvd);
  options.svd_dimensions = 5;
  const at::Tensor x = transformed(small_dataset(), options).features.dense();
  ASSERT_EQ(x.size(1), 5);
  // X = U sqrt(S), so X X' = U S U' = |A|, whose square is A A'.
  const at::Tensor magnitude = x.mm(x.t());
  at::Tensor a = at::zeros({5, 5});
  const Graph graph = small_dataset().graph;
  for (NodeId i = 0; i < 5; ++i) {
    for (const NodeId j : graph.incoming().neighbours(i)) a[i][j] = 1;
  }
  EXPECT_TRUE(at::allclose(magnitude.mm(magnitude), a.mm(a.t()), 1e-4, 1e-4));
}

TEST(Transforms, BelongToTheirGraphWhereFeaturesAreMadeOfIt) {
  for (const NodeFeatures kind : {NodeFeatures::kOneHot, NodeFeatures::kSvd}) {
    const FittedTransforms fitted = fit_transforms(small_dataset(), with_nodes(kind));
    Dataset other = small_dataset();
    EXPECT_NO_THROW(apply_transforms(other, fitted));
    other.graph = Graph::from_edges(5, {}, {});
    EXPECT_ERROR(apply_transforms(other, fitted), "belong to the graph of 5 nodes and 9 edges");
    EXPECT_ERROR(fit_transforms(small_union(), with_nodes(kind)), "unseen while training");
  }
}

TEST(Transforms, KeepSingularVectorsThatWouldBeTheSame) {
  const FittedTransforms first = fit_transforms(small_dataset(), with_nodes(NodeFeatures::kSvd));
  TransformOptions options = first.options;
  options.feature_scale = 3;
  const FittedTransforms scaled = refit_transforms(small_dataset(), options, first);
  EXPECT_TRUE(scaled.tensors.at("svd").is_same(first.tensors.at("svd")));
  EXPECT_EQ(scaled.options.feature_scale, 3);
  options.svd_dimensions = 1;
  EXPECT_EQ(refit_transforms(small_dataset(), options, first).tensors.at("svd").size(1), 1);
}

TEST(Transforms, ChangeTheGraph) {
  Dataset data = small_dataset();
  const std::vector<NodeId> source{0, 0, 2, 3}, target{1, 1, 2, 2};
  data.graph = Graph::from_edges(5, source, target, {.merge_duplicates = false});
  EXPECT_EQ(transformed(data, {}).graph.num_edges(), 3);
  TransformOptions options;
  options.merge_duplicates = false;
  EXPECT_EQ(transformed(data, options).graph.num_edges(), 4);
  options.self_loops = SelfLoops::kRemove;
  EXPECT_EQ(transformed(data, options).graph.num_edges(), 3);
  options.symmetrise = options.merge_duplicates = true;
  EXPECT_EQ(transformed(data, options).graph.num_edges(), 4);  // 0 - 1 and 2 - 3, both ways
}

TEST(Transforms, KeepTrueEdgesThatAreStillInTheGraph) {
  Dataset data = small_dataset();
  data.true_edges = {{0, 1}, {2, 2}, {2, 3}};
  data.path_length = {0, 1, 1, 2, 0};
  TransformOptions options;
  options.symmetrise = true;
  EXPECT_EQ(transformed(data, options).true_edges, data.true_edges);
  options.self_loops = SelfLoops::kRemove;
  const Dataset without = transformed(data, options);
  EXPECT_NO_THROW(without.validate());
  EXPECT_EQ(without.true_edges, (std::vector<std::pair<NodeId, NodeId>>{{0, 1}, {2, 3}}));
  EXPECT_EQ(without.path_length, data.path_length);
}

TEST(Transforms, SplitBeforeTheyFit) {
  Dataset data = small_dataset();
  data.train = data.valid = data.test = {};
  TransformOptions options = with_features(FeatureTransform::kStandardise);
  EXPECT_ERROR(fit_transforms(data, options), "standardise needs training nodes, but small has none");
  options.split = SplitKind::kRandom;
  const Dataset split = transformed(data, options);
  EXPECT_EQ(split.train.size(), 2u);
  const at::Tensor x = split.features.select_rows(split.train).dense();
  EXPECT_TRUE(at::allclose(x.mean(0), at::zeros({3}), 0, 1e-6));
  options.split = SplitKind::kStratified;
  EXPECT_EQ(transformed(data, options).train.size(), 2u);
}

TEST(Transforms, SayWhatIsWrong) {
  TransformOptions options;
  options.split = SplitKind::kRandom;
  EXPECT_ERROR(fit_transforms(small_union(), options), "union is split by whole graphs");
  EXPECT_ERROR(options.read_json_text(R"({"split": "by-hand"})", "a.json"), "a.json: split: 'by-hand' is not one of");
  Dataset bare = small_dataset();
  bare.features = at::zeros({5, 0});
  EXPECT_ERROR(fit_transforms(bare, {}), "small has no features of its own; expected one-hot or svd");
  EXPECT_ERROR(apply_transforms(small_dataset(), {with_features(FeatureTransform::kStandardise), {}}),
               "no fitted tensor 'mean'");
}

TEST(Transforms, GoThroughJson) {
  TransformOptions options = with_nodes(NodeFeatures::kSvd);
  options.split = SplitKind::kStratified;
  options.train_fraction = 0.3;
  options.symmetrise = true;
  TransformOptions back;
  back.read_json_text(options.to_json_text(), "run");
  EXPECT_EQ(back.to_json_text(), options.to_json_text());
  EXPECT_EQ(back.svd_dimensions, 3);
}

}  // namespace
}  // namespace geniepath
