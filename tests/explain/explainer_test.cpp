#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "expect_error.h"
#include "explain/gates.h"
#include "explain/trace.h"
#include "explain/what_if.h"
#include "geniepath/explain.h"
#include "small_models.h"
#include "training/loss.h"

namespace geniepath {
namespace {

using namespace testing;

// The paper's equations in f64, with the extracted alpha in place of the attention.
class FromWeightsAlone {
 public:
  FromWeightsAlone(Model& model, const ModelConfig& config, const Dataset& data) : config_(config) {
    for (const auto& item : model.named_parameters()) weights_[item.key()] = item.value().detach().to(at::kDouble);
    h_0_ = at::mm(data.features.dense().to(at::kDouble), weights_.at("input.w_x"));
  }

  // alpha[t]: [N, N] of layer t + 1
  at::Tensor logits(const std::vector<at::Tensor>& alpha) const {
    const bool lazy = config_.model == "geniepath-lazy";
    at::Tensor h = h_0_, mu = h_0_, memory = at::zeros_like(h_0_);
    if (lazy) mu = gate("depth_0", at::cat({h, mu}, 1), memory);
    for (size_t t = 0; t < alpha.size(); ++t) {
      const at::Tensor h_tmp =
          at::tanh(at::mm(at::mm(alpha[t], h), weights_.at("breadth_" + std::to_string(t) + ".w")));
      h = lazy ? h_tmp : gate("depth_" + std::to_string(t), h_tmp, memory);
      if (lazy) mu = gate("depth_" + std::to_string(t + 1), at::cat({h, mu}, 1), memory);
    }
    return at::mm(lazy ? mu : h, weights_.at("w_y"));
  }

 private:
  at::Tensor gate(const std::string& name, const at::Tensor& z, at::Tensor& memory) const {
    const auto product = [&](const char* w) { return at::mm(z, weights_.at(name + "." + w)); };
    memory = at::sigmoid(product("w_f")) * memory + at::sigmoid(product("w_i")) * at::tanh(product("w_c"));
    return at::sigmoid(product("w_o")) * at::tanh(memory);
  }

  ModelConfig config_;
  std::map<std::string, at::Tensor> weights_;
  at::Tensor h_0_;
};

// The alpha shown are those of the prediction.
TEST(Explainer, TheWeightsAloneGiveThePrediction) {
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    const ModelConfig config = attending(name, 4);
    const auto model = sharp_model(config);
    const Dataset data = data_on(both_ways(random_graph(30, 40, 3)));
    const Explainer explainer(model, data);
    const FromWeightsAlone formulas(*model, config, data);
    for (const NodeId node : {0, 5, 17}) {
      std::vector<at::Tensor> alpha(4);
      for (at::Tensor& layer : alpha) layer = at::zeros({30, 30}, at::kDouble);
      ExplainOptions options;
      options.hops = 4, options.top = 100000;
      for (const PathNode& n : explainer.explain(node, options).nodes) {
        for (size_t t = 0; t < 4; ++t) alpha[t][n.node][n.node] = n.self_alpha[t];
      }
      for (const PathEdge& edge : explainer.edges(node, 4)) {
        for (size_t t = 0; t < 4; ++t) alpha[t][edge.target][edge.source] = edge.alpha[t];
      }
      const at::Tensor found = training::probabilities_of(data.task, formulas.logits(alpha))[node];
      EXPECT_TRUE(at::allclose(found, explainer.probabilities()[node].to(at::kDouble), 1e-4, 1e-6)) << name;
    }
  }
}

TEST(Explainer, ContributionsOfTheHopsAddUpToTheMemory) {
  for (const ModelConfig& config : attending_variants()) {
    if (config.depth_function == DepthKind::kIdentity) continue;
    SCOPED_TRACE(name_of(config));
    const Dataset data = data_on(both_ways(random_graph(20, 30, 3)));
    const explain::Trace trace = explain::make_trace(sharp_model(config), data, {});
    const at::NoGradGuard no_grad;
    const std::vector<NodeId> nodes{4, 0, 11};
    const explain::Trajectory path = explain::follow(trace, nodes);
    const DepthTrace depth = trace.path_model->depth(path.h_0, path.h_tmp);
    at::Tensor memory = at::zeros_like(path.h_0), sum = at::zeros_like(path.h_0);
    for (const auto& [hop, gates] : depth.steps) memory = gates.forget * memory + gates.input * gates.candidate;
    for (const at::Tensor& part : explain::contributions(depth)) sum += part;
    EXPECT_TRUE(at::allclose(sum, memory, 1e-5, 1e-6));
    const at::Tensor out =
        config.depth_function == DepthKind::kGru ? memory : depth.steps.back().gates.output * at::tanh(memory);
    EXPECT_TRUE(at::allclose(out, depth.representation, 1e-4, 1e-6));  // the gates shown are those of the prediction
    for (const auto& profile : explain::gate_profiles(depth)) {
      double contribution = 0, magnitude = 0;
      for (const GateProfile& gate : profile) contribution += gate.contribution, magnitude += gate.magnitude;
      EXPECT_NEAR(contribution, 1, 1e-6);
      EXPECT_NEAR(magnitude, 1, 1e-6);
    }
  }
}

TEST(Explainer, HopsOfTheProfileAreThoseTheDepthFunctionReads) {
  const Dataset data = data_on(star_graph(5));
  const auto hops_of = [&](const ModelConfig& config) {
    std::vector<int64_t> hops;
    for (const GateProfile& gate : Explainer(sharp_model(config), data).explain(0, {}).gates) hops.push_back(gate.hop);
    return hops;
  };
  EXPECT_EQ(hops_of(attending("geniepath", 2)), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(hops_of(attending("geniepath-lazy", 2)), (std::vector<int64_t>{0, 1, 2}));
}

TEST(Explainer, EvenAttentionHasTheUniformEntropy) {
  const auto model = sharp_model(attending("geniepath"));
  const Dataset data = data_on(star_graph(9));
  for (const AttentionEntropy& layer : Explainer(model, data).entropy(0)) EXPECT_LT(layer.entropy, layer.uniform);
  {
    const at::NoGradGuard no_grad;
    for (const char* v : {"breadth_0.v", "breadth_1.v", "breadth_2.v"}) model->named_parameters()[v].zero_();
  }
  for (const AttentionEntropy& layer : Explainer(model, data).entropy(0)) {
    EXPECT_NEAR(layer.entropy, std::log(9), 1e-5);
    EXPECT_NEAR(layer.uniform, std::log(9), 1e-12);
  }
}

TEST(Explainer, TheReceptiveFieldExplainsAsTheWholeGraph) {
  for (const Graph& graph : {random_graph(300, 500, 3), both_ways(random_graph(300, 400, 4))}) {
    const Dataset data = data_on(graph);
    const auto model = sharp_model(attending("geniepath", 3));
    const NodeId nodes[] = {17};
    const ReceptiveField field = receptive_field(data, nodes, 3 + 2);
    EXPECT_LT(field.data.graph.num_nodes(), 300);
    const Explanation whole = Explainer(model, data).explain(17, {});
    const Explainer local(model, field.data, field.degree);
    ASSERT_EQ(field.original[0], 17);
    const Explanation part = local.explain(0, {});
    ASSERT_EQ(part.paths.size(), whole.paths.size());
    for (size_t p = 0; p < part.paths.size(); ++p) {
      EXPECT_NEAR(part.paths[p].product, whole.paths[p].product, 1e-6);
      EXPECT_NEAR(part.paths[p].laplacian, whole.paths[p].laplacian, 1e-12);
    }
    EXPECT_EQ(part.omitted.edges, whole.omitted.edges);
    EXPECT_TRUE(at::allclose(part.faithfulness.full, whole.faithfulness.full, 1e-4, 1e-6));
    EXPECT_TRUE(at::allclose(part.faithfulness.dropped, whole.faithfulness.dropped, 1e-4, 1e-6));
    for (const PathNode& node : part.nodes) {  // including the neighbours' own scores
      const NodeId original = field.original[static_cast<size_t>(node.node)];
      EXPECT_TRUE(at::allclose(local.probabilities()[node.node], predict(*model, data)[original], 1e-4, 1e-6));
      EXPECT_EQ(field.data.node_name(node.node), std::to_string(original));
    }
  }
}

TEST(Explainer, TheReceptiveFieldKeepsItsPartOfTheGroundTruth) {
  Dataset data = data_on(random_graph(300, 500, 3));
  for (NodeId i = 0; i < 300; ++i) {
    data.path_length.push_back(static_cast<uint8_t>(i % 7));
    for (const NodeId j : data.graph.incoming().neighbours(i)) {
      if ((i + j) % 3 == 0) data.true_edges.emplace_back(j, i);
    }
  }
  std::ranges::sort(data.true_edges);
  const NodeId nodes[] = {17, 40, 41};
  const ReceptiveField field = receptive_field(data, nodes, 3);
  ASSERT_LT(field.data.graph.num_nodes(), 300);
  const auto original = [&](NodeId node) { return field.original[static_cast<size_t>(node)]; };
  std::vector<std::pair<NodeId, NodeId>> expected;
  for (NodeId i = 0; i < field.data.graph.num_nodes(); ++i) {
    EXPECT_EQ(field.data.path_length[static_cast<size_t>(i)], original(i) % 7);
    for (const NodeId j : field.data.graph.incoming().neighbours(i)) {
      if ((original(i) + original(j)) % 3 == 0) expected.emplace_back(j, i);
    }
  }
  std::ranges::sort(expected);
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(field.data.true_edges, expected);
}

TEST(Explainer, ScoresManyNodesAsThePredictionHasThem) {
  const NodeId nodes = 20001;  // more than one block, with few and with many neighbours
  for (const Graph& graph : {both_ways(random_graph(nodes, 30000, 3)), random_graph(nodes, 200000, 4)}) {
    const Dataset data = data_on(graph);
    for (const ModelConfig& config : attending_variants()) {
      SCOPED_TRACE(name_of(config));
      const auto model = sharp_model(config);
      EXPECT_TRUE(at::allclose(Explainer(model, data).probabilities(), predict(*model, data), 1e-3, 1e-5));
    }
  }
}

TEST(Explainer, AFieldOfMostOfTheGraphIsTheGraph) {
  const Dataset data = data_on(star_graph(40));
  const NodeId nodes[] = {17};
  const ReceptiveField field = receptive_field(data, nodes, 2);
  EXPECT_EQ(field.data.graph.incoming().neighbour.data(), data.graph.incoming().neighbour.data());
  EXPECT_EQ(field.original[17], 17);
  EXPECT_EQ(field.degree[0], 40);
  EXPECT_EQ(field.degree[17], 2);
  EXPECT_EQ(receptive_field(data, nodes, 1).data.graph.num_nodes(), 2);
}

TEST(Explainer, SparseFeaturesAndHalfPrecisionAreFollowedToo) {
  ModelConfig config = attending("geniepath-lazy");
  config.precision = Precision::kBf16;
  const auto model = sharp_model(config);
  Dataset data = data_on(both_ways(random_graph(30, 40, 3)));
  const at::Tensor expected = predict(*model, data);
  EXPECT_TRUE(at::allclose(Explainer(model, data).explain(3, {}).faithfulness.full, expected[3], 1e-2, 1e-3));
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  const at::Tensor dense = data.features.dense().contiguous();
  for (int64_t n = 0; n < 30; ++n) {
    for (int32_t c = static_cast<int32_t>(n % 2); c < kFeatures; ++c) {  // every other row begins with a 0
      column.push_back(c), value.push_back(dense.data_ptr<float>()[n * kFeatures + c]);
    }
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  const SparseMatrix sparse{30, kFeatures, offset, column, value};
  const auto exact = sharp_model(attending("geniepath-lazy"));
  const at::Tensor before = predict(*exact, data);
  data.features = Features(sparse.to_dense());
  const at::Tensor as_dense = predict(*exact, data);
  data.features = Features(sparse);
  EXPECT_TRUE(at::allclose(Explainer(exact, data).probabilities(), as_dense, 1e-4, 1e-6));
  EXPECT_FALSE(at::allclose(as_dense, before, 1e-2, 1e-3));  // these features differ
}

TEST(Explainer, LevelsAreThePapers) {
  EXPECT_EQ(level_of(0.0999), Level::kGreen);
  EXPECT_EQ(level_of(0.1), Level::kBlue);
  EXPECT_EQ(level_of(0.2), Level::kRed);
  EXPECT_STREQ(to_string(Level::kRed), "red");
}

TEST(Explainer, SaysWhatIsWrong) {
  const Dataset data = data_on(star_graph(4));
  EXPECT_ERROR(Explainer(make_model(attending("mlp"), kFeatures, kClasses, 1), data), "it does not attend to neighbours by hops");
  const Explainer explainer(sharp_model(attending("geniepath")), data);
  EXPECT_ERROR(explainer.explain(4, {}), "node 4, but the graph has 4");
  EXPECT_ERROR(explainer.explain(-1, {}), "node -1");
  ExplainOptions options;
  options.hops = 0;
  EXPECT_ERROR(explainer.explain(0, options), "hops: expected 1 to 1000");
  EXPECT_ERROR(explainer.score({data.features.select_rows(std::vector<NodeId>{0}), {{4, 9}}}), "edge 4 - 9");
  const NodeId outside[] = {7};
  EXPECT_ERROR(receptive_field(data, outside, 2), "node 7");
}

}  // namespace
}  // namespace geniepath
