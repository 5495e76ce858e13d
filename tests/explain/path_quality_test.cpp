#include "geniepath/path_quality.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "explain/recovery.h"
#include "geniepath/path_model.h"
#include "small_models.h"

namespace geniepath {
namespace {

using namespace testing;

// Attends to the one neighbour whose tag a node wants, and passes on what that neighbour holds.
//   X: tag, wanted tag, then the values, of which a node holds one       alpha_ij = softmax_j(40 [wanted_i = tag_j])
class SeekingModel : public Model, public PathModel {
 public:
  explicit SeekingModel(const ModelConfig& config) : hops_(config.depth) {}
  int64_t num_hops() const override { return hops_; }
  at::Tensor begin(const ModelInput& input) const override { return input.dense; }
  BreadthRows breadth(int64_t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor&) const override {
    const at::Tensor target = at::repeat_interleave(rows.offset.diff());
    const at::Tensor wanted = h.select(1, 1).index_select(0, target),
                     tag = h.select(1, 0).index_select(0, rows.neighbour);
    const at::Tensor weight = at::exp(40.0 * (wanted == tag).to(at::kFloat));
    const at::Tensor sum = at::zeros({rows.size()}).index_add(0, target, weight);
    const at::Tensor alpha = weight / sum.index_select(0, target);
    const at::Tensor passed = at::zeros({rows.size(), h.size(1)})
                                  .index_add(0, target, alpha.unsqueeze(1) * h.index_select(0, rows.neighbour));
    return {at::cat({h.narrow(0, 0, rows.size()).narrow(1, 0, 2), passed.narrow(1, 2, h.size(1) - 2)}, 1), alpha};
  }

 private:
  at::Tensor represent(const ModelInput& input, Pass& pass) const override {
    return run_hops(*this, input, dropout_, pass);
  }
  int64_t hops_;
};

constexpr int64_t kValues = 3, kHops = 3;
constexpr NodeId kNodes = 60, kNeighbours = 5;

// Node i wants the node whose value is passed on to it; the label is the value kHops steps away.
struct SeekingWorld {
  SeekingWorld() {
    Random random{7};
    std::vector<NodeId> source, target, next;
    std::vector<int64_t> value, label;
    data.name = "seeking";
    for (NodeId i = 0; i < kNodes; ++i) {
      for (NodeId n = 1; n <= kNeighbours; ++n) source.push_back((i + 7 * n) % kNodes), target.push_back(i);
      next.push_back((i + 7 * (1 + static_cast<NodeId>(random.below(kNeighbours)))) % kNodes);
      data.true_edges.emplace_back(next.back(), i);
      data.test.push_back(i);
      value.push_back(static_cast<int64_t>(random.below(kValues)));
    }
    at::Tensor x = at::zeros({kNodes, 2 + kValues});
    for (NodeId i = 0; i < kNodes; ++i) {
      x[i][0] = i, x[i][1] = next[static_cast<size_t>(i)], x[i][2 + value[static_cast<size_t>(i)]] = 1;
      NodeId end = i;
      for (int64_t t = 0; t < kHops; ++t) end = next[static_cast<size_t>(end)];
      label.push_back(value[static_cast<size_t>(end)]);
    }
    std::ranges::sort(data.true_edges);
    data.graph = Graph::from_edges(kNodes, source, target);
    data.features = Features(x);
    data.labels = at::tensor(label);
    data.num_classes = kValues;
    data.validate();
    make_model_that_seeks();
  }

  void make_model_that_seeks() {
    static const bool registered = (register_model("test-seeking",
                                                   [](const ModelConfig& config, int64_t) -> std::shared_ptr<Model> {
                                                     return std::make_shared<SeekingModel>(config);
                                                   }),
                                    true);
    EXPECT_TRUE(registered);
    ModelConfig config;
    config.model = "test-seeking", config.hidden = 2 + kValues, config.depth = kHops;
    model = make_model(config, 2 + kValues, kValues, 1);
    const at::NoGradGuard no_grad;
    model->named_parameters()["w_y"].copy_(at::cat({at::zeros({2, kValues}), at::eye(kValues)}));
  }

  Dataset data;
  std::shared_ptr<Model> model;
};

TEST(PathQuality, PlantedAttentionIsFoundAndMatters) {
  const SeekingWorld world;
  PathQualityOptions options;
  options.top = kHops;
  const Explainer explainer(world.model, world.data);
  const PathQuality quality = path_quality(explainer, world.data, {}, options);
  ASSERT_TRUE(quality.explanations && quality.recovery);
  EXPECT_EQ(quality.nodes, kNodes);
  EXPECT_EQ(quality.explanations->model.minus, 0);
  ASSERT_TRUE(quality.explanations->phenomenon);
  EXPECT_EQ(quality.explanations->phenomenon->minus, 0);
  EXPECT_GT(quality.explanations->model.plus, 0.25);
  EXPECT_EQ(quality.explanations->phenomenon->plus, quality.explanations->model.plus) << "all predictions are right";
  EXPECT_LT(quality.explanations->random_plus, quality.explanations->model.plus);
  EXPECT_LT(quality.explanations->random_p, 0.01);
  EXPECT_GT(quality.explanations->random_shared, 0);
  EXPECT_LT(quality.explanations->random_shared, 1);
  ASSERT_TRUE(quality.even);
  EXPECT_EQ(quality.even->metric, "accuracy");
  EXPECT_EQ(quality.even->learned, 1);
  EXPECT_LT(quality.even->even, 0.9) << "a mean over five neighbours says little of the one that is wanted";
  EXPECT_EQ(quality.even->changed, 1 - quality.even->even) << "all predictions are right";
  EXPECT_EQ(quality.recovery->rows, kNodes);
  EXPECT_EQ(quality.recovery->auc, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(quality.recovery->best_layer, 1);
  EXPECT_EQ(quality.recovery->laplacian_auc, 0.5) << "all nodes have one degree";
  EXPECT_EQ(quality.recovery->precision, 1);
  EXPECT_EQ(quality.recovery->found, 1);
  for (const double entropy : quality.entropy) EXPECT_LT(entropy, 1e-6);
  EXPECT_GT(quality.explanations->sparsity, 0.9);
  const auto one = path_recovery(explainer, world.data, explainer.explain(4, {}));
  ASSERT_TRUE(one);
  EXPECT_EQ(one->nodes, 1);
  EXPECT_EQ(one->rows, 1 + kNeighbours);
  EXPECT_EQ(one->auc, (std::vector<double>{1, 1, 1}));
}

TEST(PathQuality, EvenAttentionRanksNothing) {
  Dataset data = SeekingWorld().data;
  ModelConfig config = attending("geniepath");
  const auto model = make_model(config, 2 + kValues, kValues, 3);
  {
    const at::NoGradGuard no_grad;
    for (const char* v : {"breadth_0.v", "breadth_1.v", "breadth_2.v"}) model->named_parameters()[v].zero_();
  }
  const auto quality = path_quality(model, data);
  ASSERT_TRUE(quality && quality->recovery);
  ASSERT_EQ(quality->entropy.size(), 3u);
  for (const double entropy : quality->entropy) EXPECT_NEAR(entropy, 1, 1e-6);
  EXPECT_EQ(quality->recovery->auc, (std::vector<double>{0.5, 0.5, 0.5}));
  ASSERT_TRUE(quality->even);
  EXPECT_EQ(quality->even->changed, 0);
  EXPECT_EQ(quality->even->learned, quality->even->even);
}

// Without v every score is 0, so each neighbour counts alike.
TEST(PathQuality, EvenAttentionIsThatOfAModelWithoutScores) {
  for (const ModelConfig& config : attending_variants()) {
    SCOPED_TRACE(name_of(config));
    const Dataset data = data_on(random_graph(40, 160, 3));
    const auto model = sharp_model(config);
    const at::Tensor found = Explainer(model, data).evenly_attended();
    EXPECT_GT((found - predict(*model, data)).abs().max().item<double>(), 1e-4);
    {
      const at::NoGradGuard no_grad;
      for (const auto& item : model->named_parameters()) {
        if (item.key().ends_with(".v")) item.value().zero_();
      }
    }
    EXPECT_LT((found - predict(*model, data)).abs().max().item<double>(), 1e-5);
  }
}

Dataset tested(Dataset data) {
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) data.test.push_back(i);
  return data;
}

TEST(PathQuality, AllEdgesKeptChangeNothing) {
  for (const ModelConfig& config : attending_variants()) {
    SCOPED_TRACE(name_of(config));
    const Dataset data = tested(data_on(random_graph(20, 25, 3)));
    PathQualityOptions options;
    options.hops = 1000, options.top = 100000;
    const auto quality = path_quality(sharp_model(config), data, {}, options);
    ASSERT_TRUE(quality && quality->explanations);
    EXPECT_EQ(quality->options.hops, config.depth);
    EXPECT_EQ(quality->explanations->model.minus, 0);
    EXPECT_EQ(quality->explanations->phenomenon->minus, 0);
    EXPECT_EQ(quality->explanations->sparsity, 0);
    EXPECT_EQ(quality->explanations->random_plus, quality->explanations->model.plus) << "there is nothing to draw from";
    EXPECT_EQ(quality->explanations->random_shared, 1);
    EXPECT_EQ(quality->explanations->random_p, 1);
    double memory = 0;
    for (const GateProfile& gate : quality->explanations->gates) memory += gate.contribution;
    EXPECT_NEAR(memory, 1, 1e-6);
  }
}

TEST(PathQuality, SampleIsAFunctionOfItsSeed) {
  const Dataset data = tested(data_on(both_ways(random_graph(80, 120, 3))));
  const auto model = sharp_model(attending("geniepath"));
  const auto entropy = [&](int64_t seed) {
    PathQualityOptions options;
    options.sample = 15, options.sample_seed = seed;
    const auto quality = path_quality(model, data, {}, options);
    EXPECT_EQ(quality->nodes, 15);
    return quality->entropy;
  };
  EXPECT_EQ(entropy(1), entropy(1));
  EXPECT_NE(entropy(1), entropy(2));
  int64_t calls = 0;
  path_quality(model, data, {}, {}, [&](int64_t done, int64_t nodes) {
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(nodes, 80);
  });
  EXPECT_EQ(calls, 80);
}

TEST(PathQuality, LabelsAreDecidedOneByOne) {
  Dataset data = tested(data_on(both_ways(random_graph(30, 60, 3))));
  data.task = Task::kMultiLabel;
  data.labels = at::zeros({30, kClasses});
  const auto model = sharp_model(attending("geniepath"));
  const Explainer explainer(model, data);
  const PathQuality quality = path_quality(explainer, data);
  double changed = 0;
  for (NodeId node = 0; node < 30; ++node) {
    ExplainOptions options;
    options.hops = 3, options.top = 10;
    std::vector<GraphEdge> edges;
    for (const PathEdge& edge : explainer.explain(node, options).edges) edges.emplace_back(edge.source, edge.target);
    changed += ((explainer.without(node, edges) > 0.5) != (explainer.probabilities()[node] > 0.5)).sum().item<double>();
  }
  EXPECT_NEAR(quality.explanations->model.plus, changed / (30 * kClasses), 1e-12);
  EXPECT_FALSE(quality.explanations->phenomenon);
  EXPECT_GT(changed, 0);
}

TEST(PathQuality, AttentionWithoutPathsIsMeasuredToo) {
  const Dataset data = SeekingWorld().data;
  ModelConfig config = attending("gat", 2);
  config.hidden = 6, config.heads = "2";
  const auto quality = path_quality(make_model(config, 2 + kValues, kValues, 3), data);
  ASSERT_TRUE(quality && quality->recovery);
  EXPECT_FALSE(quality->explanations);
  ASSERT_EQ(quality->entropy.size(), 2u);
  for (const double entropy : quality->entropy) EXPECT_TRUE(entropy > 0 && entropy < 1) << entropy;
  EXPECT_EQ(quality->recovery->auc.size(), 2u);
  EXPECT_EQ(quality->recovery->nodes, 0);
  config.model = "gcn";
  EXPECT_FALSE(path_quality(make_model(config, 2 + kValues, kValues, 3), data));
}

TEST(PathQuality, DataWithoutTestNodesOrTruth) {
  const Dataset data = data_on(star_graph(5));
  const auto model = sharp_model(attending("geniepath"));
  EXPECT_ERROR(path_quality(model, data), "path quality: small has no test nodes");
  const auto quality = path_quality(model, tested(data));
  ASSERT_TRUE(quality);
  EXPECT_FALSE(quality->recovery);
  const auto lonely = path_quality(model, tested(data_on(Graph::from_edges(3, {}, {}))));
  ASSERT_TRUE(lonely && lonely->explanations);
  EXPECT_TRUE(lonely->entropy.empty());
  EXPECT_EQ(lonely->explanations->model.plus, 0);
  EXPECT_EQ(lonely->explanations->sparsity, 0);
}

// Edges 1, 2, 3 -> 0, 4 -> 2 and 1, 2 -> 4; true are 2 -> 0, 4 -> 2, both into 4, and the self-loop of 0.
TEST(PathRecovery, IsThatOfATinyGraphByHand) {
  Dataset data;
  const NodeId source[] = {0, 1, 2, 3, 4, 1, 2}, target[] = {0, 0, 0, 0, 2, 4, 4};
  data.graph = Graph::from_edges(5, source, target);
  data.true_edges = {{0, 0}, {1, 4}, {2, 0}, {2, 4}, {4, 2}};
  const auto edge = [](NodeId s, NodeId t, float first, float second, double laplacian) {
    return PathEdge{s, t, {first, second}, laplacian, 0, 0};
  };
  explain::RecoveryMeter meter(data, 2);
  const std::vector<PathEdge> rows{edge(1, 0, 0.5f, 0.1f, 0.5), edge(2, 0, 0.2f, 0.6f, 0.4),
                                   edge(3, 0, 0.2f, 0.05f, 0.3), edge(1, 4, 0.3f, 0.3f, 0.4),
                                   edge(2, 4, 0.3f, 0.3f, 0.4)};  // 4: no other edge
  meter.add_rows(rows);
  Explanation explanation;
  explanation.node = 0, explanation.hops = 2;
  explanation.paths = {{{0, 1}, {0.5f}, 0.5, 0}, {{0, 2}, {0.2f}, 0.2, 0}, {{0, 2, 4}, {0.2f, 0.9f}, 0.18, 0}};
  meter.add_paths(explanation);
  explanation.node = 3;  // no true edge leads there
  explanation.paths.clear();
  meter.add_paths(explanation);
  const PathRecovery found = meter.result();
  EXPECT_EQ(found.rows, 1);
  EXPECT_EQ(found.auc, (std::vector<double>{0.25, 1}));  // below one and level with the other; above both
  EXPECT_EQ(found.best_layer, 2);
  EXPECT_EQ(found.laplacian_auc, 0.5);
  EXPECT_EQ(found.nodes, 1);
  EXPECT_EQ(found.precision, 0.5);  // of the two strongest, as there are two true paths
  EXPECT_EQ(found.found, 1);
}

}  // namespace
}  // namespace geniepath
