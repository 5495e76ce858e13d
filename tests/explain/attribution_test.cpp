// Which features decided: complete, and the same as from the paper's equations in f64.
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "expect_error.h"
#include "explain/trace.h"
#include "small_models.h"
#include "training/loss.h"

namespace geniepath {
namespace {

using namespace testing;

// The paper's equations in f64 on the whole graph, by LibTorch's own differentiable operations.
class DenseModel {
 public:
  DenseModel(const Model& model, const ModelConfig& config, const Graph& graph) : config_(config) {
    for (const auto& item : model.named_parameters()) weights_[item.key()] = item.value().detach().to(at::kDouble);
    absent_ = at::ones({graph.num_nodes(), graph.num_nodes()}, at::kBool);
    for (NodeId i = 0; i < graph.num_nodes(); ++i) {
      absent_[i][i] = false;
      for (const NodeId j : graph.incoming().neighbours(i)) absent_[i][j] = false;
    }
  }

  at::Tensor probabilities(const at::Tensor& x) const {
    const bool lazy = config_.model == "geniepath-lazy";
    const at::Tensor h_0 = at::mm(x, weights_.at("input.w_x"));
    at::Tensor h = h_0, mu = h_0, memory = at::zeros_like(h_0);
    if (lazy) mu = gate("depth_0", at::cat({h, mu}, 1), memory);
    for (int64_t t = 0; t < config_.depth; ++t) {
      const std::string breadth = "breadth_" + std::to_string(t) + ".";
      const at::Tensor h_tmp = at::tanh(at::mm(at::mm(alpha(breadth, h), h), weights_.at(breadth + "w")));
      h = lazy ? h_tmp : gate("depth_" + std::to_string(t), h_tmp, memory);
      if (lazy) mu = gate("depth_" + std::to_string(t + 1), at::cat({h, mu}, 1), memory);
    }
    return at::softmax(at::mm(lazy ? mu : h, weights_.at("w_y")) + weights_.at("b_y"), 1);
  }

  // By the midpoint rule in many steps.
  at::Tensor attribution(const at::Tensor& x, const at::Tensor& baseline, NodeId node, int64_t output) const {
    constexpr int kSteps = 200;
    at::Tensor sum = at::zeros_like(x);
    for (int s = 0; s < kSteps; ++s) {
      const at::Tensor at = (baseline + (x - baseline) * ((s + 0.5) / kSteps)).detach().requires_grad_();
      sum += torch::autograd::grad({probabilities(at)[node][output]}, {at})[0] / kSteps;
    }
    return sum * (x - baseline);
  }

 private:
  at::Tensor alpha(const std::string& breadth, const at::Tensor& h) const {
    const at::Tensor a = at::mm(h, weights_.at(breadth + "w_s")), b = at::mm(h, weights_.at(breadth + "w_d"));
    const at::Tensor score = at::matmul(at::tanh(a.unsqueeze(1) + b.unsqueeze(0)), weights_.at(breadth + "v"));
    return at::softmax(score.masked_fill(absent_, -1e300), 1);
  }

  at::Tensor gate(const std::string& name, const at::Tensor& z, at::Tensor& memory) const {
    const auto product = [&](const char* w) { return at::mm(z, weights_.at(name + "." + w)); };
    memory = at::sigmoid(product("w_f")) * memory + at::sigmoid(product("w_i")) * at::tanh(product("w_c"));
    return at::sigmoid(product("w_o")) * at::tanh(memory);
  }

  ModelConfig config_;
  std::map<std::string, at::Tensor> weights_;
  at::Tensor absent_;  // [N, N]: pairs without an edge
};

// Attention is uneven, yet the score has no jumps.
std::shared_ptr<Model> smooth_model(const ModelConfig& config) {
  auto model = make_model(config, kFeatures, kClasses, 3);
  const at::NoGradGuard no_grad;
  for (at::Tensor& weight : model->parameters()) weight.mul_(1.4);
  return model;
}

// One thread: the tensors are too small to be divided among several.
class Attribution : public ::testing::Test {
 protected:
  Attribution() { at::set_num_threads(1); }
  ~Attribution() override { at::set_num_threads(threads_); }

 private:
  const int threads_ = at::get_num_threads();
};

ExplainOptions everything(int64_t depth) {
  ExplainOptions options;
  options.hops = depth, options.top = 100000;
  return options;
}

at::Tensor rows_of(const at::Tensor& x, const Explanation& explanation) {
  std::vector<int64_t> nodes;
  for (const PathNode& node : explanation.nodes) nodes.push_back(node.node);
  return x.index_select(0, at::tensor(nodes, at::kLong));
}

at::Tensor some_baseline(const Dataset& data) { return data_on(data.graph, 17).features.dense() * 0.5; }

TEST_F(Attribution, IsThatOfTheEquationsOnTheWholeGraph) {
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    for (const Graph& graph : {both_ways(random_graph(10, 12, 3)), random_graph(10, 20, 8), star_graph(6)}) {
      const ModelConfig config = attending(name, 3);
      const auto model = smooth_model(config);
      const Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      const DenseModel formulas(*model, config, graph);
      const at::Tensor x = data.features.dense(), baseline = some_baseline(data);
      for (const NodeId node : {0, 3}) {
        SCOPED_TRACE(std::string(name) + " node " + std::to_string(node));
        const Explanation explanation = explainer.explain(node, everything(config.depth));
        const at::Tensor found =
            explainer.attribute(explanation, rows_of(x, explanation), rows_of(baseline, explanation), 1).values;
        const at::Tensor all = formulas.attribution(x.to(at::kDouble), baseline.to(at::kDouble), node, 1);
        const at::Tensor expected = rows_of(all, explanation);
        EXPECT_GT(expected.abs().max().item<double>(), 0.01);  // something to find
        EXPECT_LT((found - expected).abs().max().item<double>(), 5e-4) << found << expected;
        EXPECT_NEAR(all.sum().item<double>(), expected.sum().item<double>(), 1e-9);  // no other node has a share
      }
    }
  }
}

// With all paths the score at the baseline is the model's on a graph with the baseline's features.
TEST_F(Attribution, AddsUpToTheDifferenceOfTheScores) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = smooth_model(config);
    for (const Graph& graph : {both_ways(random_graph(30, 40, 4)), random_graph(25, 40, 3), star_graph(30),
                               clique_chain(4), Graph::from_edges(3, {}, {})}) {
      SCOPED_TRACE(name_of(config));
      const Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      const Explanation explanation = explainer.explain(1, everything(config.depth));
      const at::Tensor x = data.features.dense(), baseline = some_baseline(data);
      const FeatureAttribution found =
          explainer.attribute(explanation, rows_of(x, explanation), rows_of(baseline, explanation), 2);
      Dataset plain = data;
      plain.features = Features(baseline);
      EXPECT_NEAR(found.score, predict(*model, data)[1][2].item<double>(), 1e-5);
      EXPECT_NEAR(found.baseline, predict(*model, plain)[1][2].item<double>(), 1e-5);
      EXPECT_NEAR(found.values.to(at::kDouble).sum().item<double>() + found.gap, found.score - found.baseline, 1e-6);
      EXPECT_LE(std::abs(found.gap), 1e-3);
    }
  }
}

TEST_F(Attribution, AddsUpInEveryTask) {
  for (const Task task : {Task::kMultiClass, Task::kMultiLabel, Task::kBinary}) {
    SCOPED_TRACE(to_string(task));
    Dataset data = data_on(both_ways(random_graph(30, 40, 4)));
    data.task = task;
    const auto model = make_model(attending("geniepath"), kFeatures, task == Task::kBinary ? 1 : kClasses, 3);
    const Explainer explainer(model, data);
    const Explanation explanation = explainer.explain(3, {});
    const at::Tensor x = rows_of(data.features.dense(), explanation),
                     baseline = rows_of(some_baseline(data), explanation);
    const FeatureAttribution found = explainer.attribute(explanation, x, baseline, 0);
    EXPECT_NE(found.score, found.baseline);
    EXPECT_NEAR(found.values.to(at::kDouble).sum().item<double>(), found.score - found.baseline, 1e-3);
  }
}

// The model hop by hop on the whole graph with other h^(0), and the states of nodes that are not listed kept.
double score_held(const explain::Trace& trace, const at::Tensor& h_0, const std::vector<bool>& listed, NodeId node,
                  int64_t output) {
  const at::NoGradGuard no_grad;
  const GraphTensors tensors(trace.graph);
  std::vector<at::Tensor> h{h_0};
  at::Tensor memory;
  for (int64_t t = 1; t <= trace.depth(); ++t) {
    const auto made = trace.path_model->breadth(t, {tensors.in_offset, tensors.in_neighbour}, h.back(), h_0);
    h.push_back(trace.path_model->advance(t, made.h_tmp, memory).clone());
    for (size_t i = 0; i < listed.size() && t < trace.depth(); ++i) {
      const auto at = static_cast<int64_t>(i);
      if (!listed[i]) h.back()[at].copy_(trace.h[static_cast<size_t>(t)][at]);
    }
  }
  return trace.probabilities_of(trace.path_model->finish(h_0, {h.begin() + 1, h.end()}))[node][output].item<double>();
}

TEST_F(Attribution, NodesThatAreNotListedKeepTheirStates) {
  for (const ModelConfig& config : attending_variants()) {
    const auto model = smooth_model(config);
    for (const Graph& graph : {both_ways(random_graph(40, 60, 4)), random_graph(40, 80, 3), star_graph(30)}) {
      SCOPED_TRACE(name_of(config));
      const Dataset data = data_on(graph);
      const Explainer explainer(model, data);
      const explain::Trace trace = explain::make_trace(model, data, {});
      ExplainOptions options;
      options.top = 6, options.hops = config.depth;
      const Explanation explanation = explainer.explain(2, options);
      std::vector<bool> listed(static_cast<size_t>(graph.num_nodes()), false);
      for (const PathNode& node : explanation.nodes) listed[static_cast<size_t>(node.node)] = true;
      const at::Tensor x = data.features.dense(), baseline = some_baseline(data);
      at::Tensor mixed = x.clone();
      for (const PathNode& node : explanation.nodes) mixed[node.node].copy_(baseline[node.node]);
      const FeatureAttribution found =
          explainer.attribute(explanation, rows_of(x, explanation), rows_of(baseline, explanation), 0);
      const at::NoGradGuard no_grad;
      const at::Tensor h_0 = explain::begin(*trace.path_model, Features(mixed));
      EXPECT_NEAR(found.baseline, score_held(trace, h_0, listed, 2, 0), 1e-5);
      EXPECT_LE(std::abs(found.gap), 1e-3);
    }
  }
}

// Where a score jumps, the gap says how much is not accounted for.
TEST_F(Attribution, WhatIsMissingIsStated) {
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    const Dataset data = data_on(both_ways(random_graph(30, 40, 4)));
    const Explainer explainer(sharp_model(attending(name, 7)), data);
    const Explanation explanation = explainer.explain(1, {});
    const at::Tensor x = rows_of(data.features.dense(), explanation),
                     baseline = rows_of(some_baseline(data), explanation);
    const FeatureAttribution found = explainer.attribute(explanation, x, baseline, 0);
    EXPECT_NEAR(found.values.to(at::kDouble).sum().item<double>() + found.gap, found.score - found.baseline, 1e-5);
  }
}

TEST_F(Attribution, NoDifferenceIsAttributedToNothing) {
  const Dataset data = data_on(star_graph(9));
  const Explainer explainer(sharp_model(attending("geniepath")), data);
  const Explanation explanation = explainer.explain(0, {});
  const at::Tensor x = rows_of(data.features.dense(), explanation);
  const FeatureAttribution found = explainer.attribute(explanation, x, x, 0);
  EXPECT_EQ(found.values.abs().max().item<double>(), 0);
  EXPECT_NEAR(found.score, found.baseline, 1e-6);
}

TEST_F(Attribution, BadArgumentsAreErrors) {
  const Dataset data = data_on(star_graph(9));
  const Explainer explainer(sharp_model(attending("geniepath")), data);
  const Explanation explanation = explainer.explain(0, {});
  const at::Tensor x = rows_of(data.features.dense(), explanation);
  EXPECT_ERROR(explainer.attribute(explanation, x.narrow(0, 0, 1), x, 0), "features is");
  EXPECT_ERROR(explainer.attribute(explanation, x, x.narrow(1, 0, 2), 0), "as wide as the features");
  EXPECT_ERROR(explainer.attribute(explanation, x, x, 3), "output 3, but the model has 3");
  const at::Tensor wide = at::zeros({1, 1}).expand({x.size(0), (int64_t{1} << 26)});
  EXPECT_ERROR(explainer.attribute(explanation, wide, wide, 0), "at most 67108864 values");
}

TEST_F(Attribution, ANodeThatStopsListeningScoresAsWithoutTheEdges) {
  const Dataset data = data_on(star_graph(9));
  const Explainer explainer(sharp_model(attending("geniepath", 1)), data);
  const NodeId left[] = {3, 5};
  const GraphEdge edges[] = {{3, 0}, {5, 0}};  // with one hop, nothing else depends on them
  EXPECT_TRUE(at::allclose(explainer.without_neighbours(0, left), explainer.without(0, edges)));
  const NodeId none[] = {0};  // itself
  EXPECT_ERROR(explainer.without_neighbours(0, none), "expected an edge of the graph");
}

}  // namespace
}  // namespace geniepath
