#include "geniepath/transforms.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "data/transforms/feature_scaling.h"
#include "data/transforms/one_hot.h"
#include "data/transforms/refit_transforms.h"
#include "data/transforms/splits.h"
#include "data/transforms/truncated_svd.h"
#include "geniepath/error.h"

namespace geniepath {

void TransformOptions::visit(OptionVisitor& options) {
  options.flag("symmetrise", symmetrise, "add the reverse of every edge");
  options.choice("self-loops", self_loops,
                 "edges from a node to itself in the data; the models add their own");
  options.flag("merge-duplicates", merge_duplicates, "merge parallel edges");
  options.choice("split", split,
                 "training, validation and test nodes: as given in the data, drawn at random, or drawn with the "
                 "classes in equal proportions, by fractions or in folds");
  options.real("train-fraction", train_fraction, {0, 1}, "of the labelled nodes, for a drawn split");
  options.real("valid-fraction", valid_fraction, {0, 1}, "of the labelled nodes, for a drawn split");
  options.real("test-fraction", test_fraction, {0, 1}, "of the labelled nodes, for a drawn split");
  options.integer("split-seed", split_seed, {0}, "of a drawn split");
  options.integer(
      "folds", folds, {3, 1000},
      "cross-validation: parts of the labelled nodes, one for testing, the next for validation; train has one run "
      "per fold unless --fold is given");
  options.integer("fold", fold, {1, 1000}, "the fold for testing");
  options.choice("node-features", node_features,
                 "as given in the data, one-hot node ids (sparse), or the leading singular vectors of the adjacency "
                 "matrix, each times the root of its singular value");
  options.integer("svd-dimensions", svd_dimensions, {1, 4096}, "singular vectors kept as features");
  options.choice("feature-transform", feature_transform,
                 "divide each row by the sum of its magnitudes, or bring each feature to mean 0 and deviation 1 over "
                 "the training nodes (sparse features are divided by the deviation but not shifted, to stay sparse)");
  options.real("feature-scale", feature_scale, {-1e6, 1e6}, "factor on every feature, applied last");
  for (const char* name : {"train-fraction", "valid-fraction", "test-fraction"}) {
    options.only_where(name, {{"split", {"random", "stratified"}}});
  }
  options.only_where("split-seed", {{"split", {"random", "stratified", "folds"}}});
  for (const char* name : {"folds", "fold"}) options.only_where(name, {{"split", {"folds"}}});
  options.only_where("svd-dimensions", {{"node-features", {"svd"}}});
}

namespace {

bool has_duplicates(const Graph& graph) {
  for (NodeId row = 0; row < graph.num_nodes(); ++row) {
    const auto list = graph.incoming().neighbours(row);
    if (std::adjacent_find(list.begin(), list.end()) != list.end()) return true;
  }
  return false;
}

// Without options that change the graph, leaves it untouched: a mapped graph stays mapped.
void transform_graph(Dataset& data, const TransformOptions& options) {
  const bool remove = options.self_loops == SelfLoops::kRemove && data.graph.num_self_loops() > 0;
  const bool merge = options.merge_duplicates && has_duplicates(data.graph);
  if (!options.symmetrise && !remove && !merge) return;
  data.graph = data.graph.with({.symmetrise = options.symmetrise,
                                .self_loops = remove ? SelfLoops::kRemove : SelfLoops::kKeep,
                                .merge_duplicates = options.merge_duplicates});
  if (remove) std::erase_if(data.true_edges, [](const auto& edge) { return edge.first == edge.second; });
}

at::Tensor svd_features(const Graph& graph, const TransformOptions& options) {
  const TruncatedSvd svd = truncated_svd(graph, options.svd_dimensions, /*seed=*/0);
  return svd.u * svd.s.sqrt();
}

at::Tensor size_of(const Graph& graph) {
  at::Tensor size = at::empty({2}, at::kLong);
  size.data_ptr<int64_t>()[0] = graph.num_nodes();
  size.data_ptr<int64_t>()[1] = graph.num_edges();
  return size;
}

const at::Tensor& fitted_tensor(const FittedTransforms& fitted, const char* name, at::ScalarType type, int64_t rows) {
  const auto found = fitted.tensors.find(name);
  if (found == fitted.tensors.end()) fail("transforms: no fitted tensor '", name, "'");
  const at::Tensor& tensor = found->second;
  if (tensor.scalar_type() != type || tensor.dim() < 1 || tensor.size(0) != rows || !tensor.is_contiguous()) {
    fail("transforms: the fitted tensor '", name, "' has ", tensor.dim() < 1 ? 0 : tensor.size(0), " rows of ",
         at::toString(tensor.scalar_type()), ", but the data needs ", rows, " of ", at::toString(type));
  }
  return tensor;
}

// Node ids and singular vectors are meaningful only in the graph they were made for.
void check_same_graph(const Dataset& data, const FittedTransforms& fitted) {
  const auto* size = fitted_tensor(fitted, "graph", at::kLong, 2).data_ptr<int64_t>();
  if (size[0] == data.graph.num_nodes() && size[1] == data.graph.num_edges()) return;
  fail("node-features: ", to_string(fitted.options.node_features), " features belong to the graph of ", size[0],
       " nodes and ", size[1], " edges they were made for, but ", data.name, " has ", data.graph.num_nodes(), " and ",
       data.graph.num_edges());
}

void transform_node_features(Dataset& data, const FittedTransforms& fitted) {
  if (fitted.options.node_features == NodeFeatures::kGiven) return;
  check_same_graph(data, fitted);
  const NodeId nodes = data.graph.num_nodes();
  const bool ids = fitted.options.node_features == NodeFeatures::kOneHot;
  data.features = ids ? Features(one_hot_ids(nodes)) : Features(fitted_tensor(fitted, "svd", at::kFloat, nodes));
}

// Whether both options give the same singular vectors on the same data.
bool same_vectors(const TransformOptions& a, const TransformOptions& b) {
  return a.node_features == b.node_features && a.svd_dimensions == b.svd_dimensions && a.symmetrise == b.symmetrise &&
         a.self_loops == b.self_loops && a.merge_duplicates == b.merge_duplicates;
}

void fit_node_features(const Dataset& data, FittedTransforms& fitted, const FittedTransforms* earlier) {
  const NodeFeatures kind = fitted.options.node_features;
  if (kind == NodeFeatures::kGiven) {
    if (data.features.num_features() == 0) {
      fail("node-features: ", data.name, " has no features of its own; expected one-hot or svd, found given");
    }
    return;
  }
  if (data.inductive) {
    fail("node-features: ", to_string(kind), " features are undefined for the graphs of ", data.name,
         " unseen while training");
  }
  fitted.tensors["graph"] = size_of(data.graph);
  if (kind != NodeFeatures::kSvd) return;
  const bool known = earlier != nullptr && same_vectors(earlier->options, fitted.options);
  fitted.tensors["svd"] = known ? earlier->tensors.at("svd") : svd_features(data.graph, fitted.options);
}

FeatureMoments fitted_moments(const FittedTransforms& fitted, const Features& features) {
  const int64_t width = features.num_features();
  const bool shifts = !features.is_sparse() || fitted.tensors.contains("never_zero");
  return {shifts ? fitted_tensor(fitted, "mean", at::kFloat, width) : at::zeros({width}),
          fitted_tensor(fitted, "deviation", at::kFloat, width),
          fitted.tensors.contains("never_zero") ? fitted_tensor(fitted, "never_zero", at::kByte, width)
                                                : at::zeros({width}, at::kByte),
          fitted.tensors.contains("zero_is_value")};
}

// The training nodes of each kind; for a kind without any, all nodes, unless parts of the graph are unseen in training.
std::vector<std::vector<NodeId>> rows_by_kind(const Dataset& data) {
  if (data.node_type.empty()) return {data.train};
  std::vector<std::vector<NodeId>> kinds(data.type_names.size());
  for (const NodeId node : data.train) kinds[data.node_type[static_cast<size_t>(node)]].push_back(node);
  const std::vector<std::vector<NodeId>> trained = kinds;
  for (NodeId node = 0; !data.inductive && node < data.graph.num_nodes(); ++node) {
    const uint8_t kind = data.node_type[static_cast<size_t>(node)];
    if (trained[kind].empty()) kinds[kind].push_back(node);
  }
  return kinds;
}

void fit_values(const Dataset& data, FittedTransforms& fitted) {
  if (fitted.options.feature_transform != FeatureTransform::kStandardise) return;
  if (data.train.empty()) {
    fail("feature-transform: standardise needs training nodes, but ", data.name, " has none; choose a split");
  }
  const std::vector<std::vector<NodeId>> kinds = rows_by_kind(data);
  const FeatureMoments moments = feature_moments(data.features, kinds);
  // In dense features of one kind, 0 is a value like any other.
  const bool may_lack = kinds.size() > 1 || data.features.is_sparse();
  const bool lacked = may_lack && moments.never_zero.any().item<bool>();
  if (lacked) fitted.tensors["never_zero"] = moments.never_zero;
  if (lacked && moments.zero_is_value) fitted.tensors["zero_is_value"] = at::ones({1}, at::kByte);
  if (lacked || !data.features.is_sparse()) fitted.tensors["mean"] = moments.mean;
  fitted.tensors["deviation"] = moments.deviation;
}

FittedTransforms fit(const Dataset& data, const TransformOptions& options, const FittedTransforms* earlier) {
  options.check();
  FittedTransforms fitted{options, {}};
  Dataset prepared = data;
  transform_graph(prepared, options);
  draw_split(prepared, options);
  fit_node_features(prepared, fitted, earlier);
  transform_node_features(prepared, fitted);
  fit_values(prepared, fitted);
  return fitted;
}

}  // namespace

FittedTransforms fit_transforms(const Dataset& data, const TransformOptions& options) {
  return fit(data, options, nullptr);
}

FittedTransforms refit_transforms(const Dataset& data, const TransformOptions& options,
                                  const FittedTransforms& earlier) {
  return fit(data, options, &earlier);
}

Features transformed_values(Features features, const FittedTransforms& fitted) {
  const TransformOptions& options = fitted.options;
  if (options.feature_transform == FeatureTransform::kRowNormalise) features = row_normalise(features);
  if (options.feature_transform == FeatureTransform::kStandardise) {
    features = standardise(features, fitted_moments(fitted, features));
  }
  return options.feature_scale == 1 ? features : scale(features, options.feature_scale);
}

Dataset apply_all_but_values(Dataset data, const FittedTransforms& fitted) {
  transform_graph(data, fitted.options);
  if (fitted.options.split != SplitKind::kGiven && has_labelled_node(data)) draw_split(data, fitted.options);
  transform_node_features(data, fitted);
  return data;
}

Dataset apply_transforms(Dataset data, const FittedTransforms& fitted) {
  data = apply_all_but_values(std::move(data), fitted);
  data.features = transformed_values(data.features, fitted);
  return data;
}

Features apply_feature_transforms(const Features& features, const FittedTransforms& fitted) {
  if (fitted.options.node_features != NodeFeatures::kGiven) {
    fail("node-features: ", to_string(fitted.options.node_features),
         " features belong to the nodes of the graph they were made "
         "for; other nodes have none");
  }
  return transformed_values(features, fitted);
}

}  // namespace geniepath
