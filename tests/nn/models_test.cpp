#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>

#include "expect_error.h"
#include "geniepath/model.h"
#include "graphs_that_hurt.h"
#include "nn/sizes.h"
#include "ops/gradient_check.h"

namespace geniepath {
namespace {

using testing::kFeatures;
using testing::kOutputs;

ModelConfig config_of(const std::string& model, int64_t depth = 2) {
  ModelConfig config;
  config.model = model;
  config.hidden = 5;
  config.depth = depth;
  return config;
}

ModelInput input_of(const Graph& graph, at::ScalarType type = at::kFloat) {
  at::manual_seed(3);
  ModelInput input(Features(at::randn({graph.num_nodes(), kFeatures})), graph);
  input.dense = input.dense.to(type);
  return input;
}

Graph path_graph(NodeId nodes) {
  std::vector<NodeId> source, target;
  for (NodeId i = 1; i < nodes; ++i) source.push_back(i - 1), target.push_back(i);
  return Graph::from_edges(nodes, source, target, {.symmetrise = true});
}

// Stacks of convolutions.
std::vector<std::string> baselines() {
  return {"gcn", "gcn-mean", "chebyshev", "graphsage-mean", "graphsage-max", "graphsage-lstm", "gat"};
}

std::vector<ModelConfig> variants() {
  std::vector<ModelConfig> all;
  for (const char* model : {"geniepath", "geniepath-lazy"}) {
    ModelConfig config = config_of(model);
    all.push_back(config);
    for (const Residual residual : {Residual::kHop, Residual::kInput})
      config.residual = residual, all.push_back(config);
    config.tied = config.bias = true;
    all.push_back(config);
    config.depth_function = DepthKind::kGru;
    all.push_back(config);
    config.depth_function = DepthKind::kIdentity;
    config.bias = false;
    all.push_back(config);
    config = config_of(model);
    config.lazy_start = 1;
    config.dropout = 0.3;
    all.push_back(config);
    config.layer_norm = true;
    all.push_back(config);
  }
  all.push_back(config_of("mlp"));
  for (const std::string& model : baselines()) {
    ModelConfig config = config_of(model);
    config.bias = true;
    all.push_back(config);
    config.residual = Residual::kHop;
    config.heads = "5";
    all.push_back(config);
    config.residual = Residual::kInput;
    config.output = OutputKind::kLayer;
    config.depth = 3;
    config.dropout = config.input_dropout = config.attention_dropout = config.value_dropout = 0.3;
    all.push_back(config);
  }
  return all;
}

TEST(Models, GradientsOfEveryVariantAgainstCentralDifferences) {
  const ModelInput input = input_of(testing::random_graph(6, 12, 8), at::kDouble);
  for (const ModelConfig& config : variants()) {
    SCOPED_TRACE(config.model + " " + to_string(config.residual) + " " + to_string(config.depth_function));
    const auto model = make_model(config, kFeatures, kOutputs, 1);
    model->to(at::kDouble);
    for (auto& item : model->named_parameters()) {  // away from 0, where ReLU has its kink
      if (item.value().dim() == 1) item.value().data().uniform_(-0.5, 0.5);
    }
    std::vector<at::Tensor> parameters = model->parameters();
    const auto loss = [&](const testing::Tensors&) {
      const at::Tensor out = model->forward(input, Pass(5));
      return (out * at::linspace(-1, 1, out.numel(), at::kDouble).view_as(out)).sum();
    };
    testing::expect_gradients(loss, parameters,
                              config.model == "gat" ? 1e-5 : 1e-6);  // ELU's second derivative jumps at 0
  }
}

// The nodes whose features the output at `node` depends on.
std::set<int64_t> receptive_field(Model& model, ModelInput input, int64_t node) {
  input.dense = input.dense.clone().requires_grad_();
  model.forward(input)[node].sum().backward();
  std::set<int64_t> field;
  for (int64_t j = 0; j < input.dense.size(0); ++j) {
    if (input.dense.grad()[j].abs().max().item<float>() > 0) field.insert(j);
  }
  return field;
}

TEST(Models, SeeExactlyTHops) {
  const ModelInput input = input_of(path_graph(12));
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    for (const int64_t depth : {1, 2, 3, 5}) {
      for (const Residual residual : {Residual::kNone, Residual::kHop}) {
        ModelConfig config = config_of(name, depth);
        config.residual = residual;
        const auto field = receptive_field(*make_model(config, kFeatures, kOutputs, 1), input, 0);
        EXPECT_EQ(*field.rbegin(), depth) << name << " of depth " << depth;
        EXPECT_EQ(static_cast<int64_t>(field.size()), depth + 1);
      }
    }
  }
  EXPECT_EQ(receptive_field(*make_model(config_of("mlp"), kFeatures, kOutputs, 1), input, 3), std::set<int64_t>{3});
}

// An inactive ReLU, or a maximum attained elsewhere, hides what lies behind it, so the farthest of many draws counts.
TEST(Models, BaselinesSeeTHopsOrChebyshevsOrderTimesT) {
  const ModelInput input = input_of(path_graph(12));
  for (const std::string& name : baselines()) {
    for (const OutputKind output : {OutputKind::kLinear, OutputKind::kLayer}) {
      ModelConfig config = config_of(name, 3);
      config.order = 2;
      config.output = output;
      int64_t farthest = 0;
      for (uint64_t seed = 0; seed < 40; ++seed) {
        const auto field = receptive_field(*make_model(config, kFeatures, kOutputs, seed), input, 0);
        if (!field.empty()) farthest = std::max(farthest, *field.rbegin());
      }
      EXPECT_EQ(farthest, name == "chebyshev" ? 6 : 3) << name << " " << to_string(output);
    }
  }
}

TEST(Models, LazyFromHopOneStillSeesTHops) {
  ModelConfig config = config_of("geniepath-lazy", 3);
  config.lazy_start = 1;
  EXPECT_EQ(*receptive_field(*make_model(config, kFeatures, kOutputs, 1), input_of(path_graph(9)), 0).rbegin(), 3);
}

TEST(Models, TheSameSeedGivesTheSameBitsAndAnotherDoesNot) {
  const ModelInput input = input_of(testing::random_graph(30, 90, 1));
  for (const ModelConfig& config : variants()) {
    const auto a = make_model(config, kFeatures, kOutputs, 7), b = make_model(config, kFeatures, kOutputs, 7);
    EXPECT_TRUE(a->forward(input, Pass(2)).equal(b->forward(input, Pass(2))));
    EXPECT_FALSE(a->forward(input, Pass(2)).equal(make_model(config, kFeatures, kOutputs, 8)->forward(input, Pass(2))));
  }
}

TEST(Models, DropoutIsOffInEvalAndFollowsItsKey) {
  const ModelInput input = input_of(testing::random_graph(30, 90, 1));
  const auto check = [&](const ModelConfig& config) {
    const auto model = make_model(config, kFeatures, kOutputs, 1);
    EXPECT_TRUE(model->forward(input, Pass(1)).equal(model->forward(input, Pass(1))));
    EXPECT_FALSE(model->forward(input, Pass(1)).equal(model->forward(input, Pass(2))));
    ModelConfig without = config;
    without.dropout = without.input_dropout = without.attention_dropout = without.value_dropout = 0;
    EXPECT_TRUE(model->forward(input).equal(make_model(without, kFeatures, kOutputs, 1)->forward(input)));
  };
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    ModelConfig config = config_of(name);
    config.dropout = 0.5;
    check(config);
    config.dropout = 0;
    config.input_dropout = 0.5;
    check(config);
  }
  ModelConfig gat = config_of("gat");
  gat.attention_dropout = 0.5;
  check(gat);
  gat.attention_dropout = 0;
  gat.value_dropout = 0.5;
  check(gat);
}

TEST(Models, ReportTheirLayersInPredictions) {
  const ModelInput input = input_of(testing::random_graph(30, 90, 1));
  for (const std::string& name : model_names()) {
    SCOPED_TRACE(name);
    ModelConfig config = config_of(name);
    config.depth = 3;
    const auto model = make_model(config, kFeatures, kOutputs, 1);
    int64_t last = 0;
    const auto see = [&](int64_t done, int64_t layers) {
      EXPECT_EQ(layers, 3);
      EXPECT_LE(last, done);
      last = done;
    };
    EXPECT_TRUE(model->forward(input, Pass::watched(see)).equal(model->forward(input)));
    EXPECT_EQ(last, 3);
  }
}

TEST(Models, SparseAndDenseFeaturesGiveTheSame) {
  const Graph graph = testing::random_graph(9, 30, 5);
  const SparseMatrix sparse{9, kFeatures, std::vector<int64_t>{0, 1, 2, 3, 3, 3, 4, 4, 5, 6},
                            std::vector<int32_t>{0, 1, 2, 3, 0, 1}, std::vector<float>{1, 2, 3, 4, 5, 6}};
  for (const std::string& name : model_names()) {
    ModelConfig config = config_of(name);
    config.input_dropout = 0.4;  // the same mask on both
    const auto model = make_model(config, kFeatures, kOutputs, 1);
    EXPECT_TRUE(at::allclose(model->forward(ModelInput(Features(sparse), graph), Pass(3)),
                             model->forward(ModelInput(Features(sparse.to_dense()), graph), Pass(3)), 1e-5, 1e-6))
        << name;
  }
}

TEST(Models, WorkOnTheSmallestGraphs) {
  for (const std::string& name : model_names()) {
    const auto model = make_model(config_of(name), kFeatures, kOutputs, 1);
    for (const NodeId nodes : {0, 1, 3}) {
      const at::Tensor scores = model->forward(input_of(Graph::from_edges(nodes, {}, {})));
      EXPECT_EQ(scores.sizes(), (std::vector<int64_t>{nodes, kOutputs})) << name;
      EXPECT_TRUE(scores.isfinite().all().item<bool>()) << name;
    }
  }
}

TEST(Models, HaveThePapersParameters) {
  std::set<std::string> names;
  for (const auto& item : make_model(config_of("geniepath", 1), kFeatures, kOutputs, 1)->named_parameters()) {
    names.insert(item.key());
  }
  EXPECT_EQ(names, (std::set<std::string>{"input.w_x", "breadth_0.w_s", "breadth_0.w_d", "breadth_0.v", "breadth_0.w",
                                          "depth_0.w_i", "depth_0.w_f", "depth_0.w_o", "depth_0.w_c", "w_y", "b_y"}));
  const auto lazy = make_model(config_of("geniepath-lazy", 1), kFeatures, kOutputs, 1);
  EXPECT_EQ(lazy->named_parameters()["depth_1.w_i"].sizes(), (std::vector<int64_t>{10, 5}));  // CONCAT(h, mu)
  EXPECT_NE(lazy->named_parameters().find("depth_0.w_i"), nullptr);                           // h^(0) is read too
}

TEST(Models, SayWhatIsWrong) {
  EXPECT_ERROR(make_model(config_of("gnn"), kFeatures, kOutputs, 1), "model: 'gnn' is not one of geniepath,");
  ModelConfig config = config_of("mlp");
  config.hidden = 0;
  EXPECT_ERROR(make_model(config, kFeatures, kOutputs, 1), "hidden: expected 1 to");
  EXPECT_ERROR(make_model(config_of("mlp"), 0, kOutputs, 1), "0 input features");
  EXPECT_ERROR(ModelInput(Features(at::randn({2, 3})), Graph::from_edges(3, {}, {})), "features of 2 nodes");
}

}  // namespace
}  // namespace geniepath
