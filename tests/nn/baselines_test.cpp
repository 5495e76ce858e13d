// The paper's baselines, each against its formula on dense matrices in f64.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "geniepath/model.h"
#include "graphs_that_hurt.h"
#include "nn/convolution.h"
#include "nn/sizes.h"

namespace geniepath {
namespace {

using testing::kFeatures;
using testing::kOutputs;
constexpr int64_t kNodes = 9;

class Baselines : public ::testing::Test {
 protected:
  void SetUp() override {
    at::manual_seed(5);
    input_ = ModelInput(Features(at::randn({kNodes, kFeatures})), testing::random_graph(kNodes, 30, 5));
    input_.dense = input_.dense.to(at::kDouble);
    a_hat_ = at::zeros({kNodes, kNodes}, at::kDouble);
    for (int64_t i = 0; i < kNodes; ++i) {
      for (int64_t e = input_.graph.in_offset[i].item<int64_t>(); e < input_.graph.in_offset[i + 1].item<int64_t>();
           ++e) {
        a_hat_[i][input_.graph.in_neighbour[e].item<int64_t>()] = 1;
      }
    }
    a_ = a_hat_ - at::eye(kNodes, at::kDouble);
  }

  static ModelConfig config_of(const std::string& model) {
    ModelConfig config;
    config.model = model;
    config.hidden = 6;
    config.depth = 2;
    config.order = 3;
    config.bias = true;
    return config;
  }

  void build(const ModelConfig& config) {
    model_ = make_model(config, kFeatures, kOutputs, 3);
    model_->to(at::kDouble);
    const at::NoGradGuard no_grad;
    at::manual_seed(6);
    for (auto& item : model_->named_parameters()) {  // biases too
      if (item.value().dim() == 1) item.value().uniform_(-0.5, 0.5);
    }
  }

  at::Tensor weight(const std::string& name) const { return model_->named_parameters()[name]; }
  at::Tensor weight(int64_t t, const std::string& name) const {
    return weight("layer_" + std::to_string(t) + "." + name);
  }

  // layer(t, h) -> z for both layers, and the linear output.
  template <class Layer>
  void expect_formula(const Layer& layer) {
    at::Tensor h = input_.dense;
    for (int64_t t = 0; t < 2; ++t) h = at::relu(layer(t, h) + weight(t, "b"));
    expect_scores(h.mm(weight("w_y")) + weight("b_y"));
  }
  void expect_scores(const at::Tensor& expected) {
    const at::Tensor found = model_->forward(input_);
    EXPECT_LT((found - expected).abs().max().item<double>(), 1e-12) << found << expected;
  }

  at::Tensor max_of_neighbours(const at::Tensor& p) const {
    at::Tensor out = at::zeros_like(p);
    for (int64_t i = 0; i < kNodes; ++i) {
      const at::Tensor neighbours = a_[i].nonzero().squeeze(1);
      if (neighbours.numel() > 0) out[i] = std::get<0>(p.index_select(0, neighbours).max(0));
    }
    return out;
  }

  // Attention of one head, with a mask over all pairs: [N, N].
  at::Tensor gat_alpha(const at::Tensor& g, const at::Tensor& a_dst, const at::Tensor& a_src) const {
    const at::Tensor score = at::leaky_relu(g.mv(a_dst).unsqueeze(1) + g.mv(a_src).unsqueeze(0), 0.2);
    return at::softmax(score.masked_fill(a_hat_ == 0, -INFINITY), 1);
  }
  at::Tensor gat_heads(int64_t t, const at::Tensor& h, int64_t heads, bool average) const {
    std::vector<at::Tensor> out;
    const at::Tensor g = h.mm(weight(t, "w"));
    const int64_t width = g.size(1) / heads;
    for (int64_t n = 0; n < heads; ++n) {
      const at::Tensor head = g.narrow(1, n * width, width);
      out.push_back(gat_alpha(head, weight(t, "a_dst")[n], weight(t, "a_src")[n]).mm(head));
    }
    return average ? at::stack(out).mean(0) : at::cat(out, 1);
  }

  ModelInput input_;
  at::Tensor a_hat_, a_;  // with and without self-loops
  std::shared_ptr<Model> model_;
};

TEST_F(Baselines, Gcn) {
  build(config_of("gcn"));
  const at::Tensor scale = a_hat_.sum(1).rsqrt();
  const at::Tensor a = scale.unsqueeze(1) * a_hat_ * scale;
  expect_formula([&](int64_t t, const at::Tensor& h) { return a.mm(h).mm(weight(t, "w")); });
}

TEST_F(Baselines, GcnMean) {
  build(config_of("gcn-mean"));
  const at::Tensor a = a_hat_ / a_hat_.sum(1, true);
  expect_formula([&](int64_t t, const at::Tensor& h) { return a.mm(h).mm(weight(t, "w")); });
}

TEST_F(Baselines, GcnWhoseLastLayerIsTheOutput) {
  ModelConfig config = config_of("gcn");
  config.output = OutputKind::kLayer;
  build(config);
  const at::Tensor scale = a_hat_.sum(1).rsqrt();
  const at::Tensor a = scale.unsqueeze(1) * a_hat_ * scale;
  const at::Tensor h = at::relu(a.mm(input_.dense).mm(weight(0, "w")) + weight(0, "b"));
  expect_scores(a.mm(h).mm(weight(1, "w")) + weight(1, "b"));
  EXPECT_EQ(weight(1, "w").sizes(), (std::vector<int64_t>{6, kOutputs}));
  EXPECT_EQ(model_->named_parameters().find("w_y"), nullptr);
}

TEST_F(Baselines, Chebyshev) {
  build(config_of("chebyshev"));
  const at::Tensor degree = a_.sum(1);
  const at::Tensor scale = at::where(degree > 0, degree.rsqrt(), at::zeros_like(degree));
  const at::Tensor l = -(scale.unsqueeze(1) * a_ * scale);
  std::vector<at::Tensor> polynomial{at::eye(kNodes, at::kDouble), l};
  for (int64_t k = 2; k <= 3; ++k)
    polynomial.push_back(2 * l.mm(polynomial.back()) - polynomial[polynomial.size() - 2]);
  expect_formula([&](int64_t t, const at::Tensor& h) {
    at::Tensor z = at::zeros({kNodes, 6}, at::kDouble);
    for (size_t k = 0; k < polynomial.size(); ++k) z = z + polynomial[k].mm(h).mm(weight(t, "w_" + std::to_string(k)));
    return z;
  });
}

TEST_F(Baselines, GraphSageMean) {
  build(config_of("graphsage-mean"));
  const at::Tensor a = a_ / a_.sum(1, true).clamp_min(1);
  expect_formula([&](int64_t t, const at::Tensor& h) { return a.mm(h).mm(weight(t, "w_n")) + h.mm(weight(t, "w_s")); });
}

TEST_F(Baselines, GraphSageOfUnitLength) {
  ModelConfig config = config_of("graphsage-mean");
  config.unit_length = true;
  build(config);
  const at::Tensor a = a_ / a_.sum(1, true).clamp_min(1);
  at::Tensor h = input_.dense;
  for (int64_t t = 0; t < 2; ++t) {
    h = at::relu(a.mm(h).mm(weight(t, "w_n")) + h.mm(weight(t, "w_s")) + weight(t, "b"));
    h = h / h.norm(2, 1, true);
    ASSERT_TRUE(h.isfinite().all().item<bool>());
  }
  expect_scores(h.mm(weight("w_y")) + weight("b_y"));
}

TEST_F(Baselines, GraphSageSamplesNeighboursWhileItTrains) {
  for (const char* name : {"graphsage-mean", "graphsage-max"}) {
    ModelConfig config = config_of(name);
    build(config);
    const at::Tensor of_all = model_->forward(input_);
    config.sampled_neighbours = 1;
    build(config);
    EXPECT_FALSE(model_->replayable());
    const at::Tensor evaluated = model_->forward(input_);
    EXPECT_TRUE(evaluated.equal(of_all)) << name << " reads all neighbours when it is evaluated";
    EXPECT_TRUE(model_->forward(input_, Pass(1)).equal(model_->forward(input_, Pass(1)))) << name;
    EXPECT_FALSE(model_->forward(input_, Pass(1)).equal(model_->forward(input_, Pass(2)))) << name;
    EXPECT_FALSE(model_->forward(input_, Pass(1)).equal(evaluated)) << name;
  }
}

TEST_F(Baselines, GraphSageMax) {
  build(config_of("graphsage-max"));
  expect_formula([&](int64_t t, const at::Tensor& h) {
    const at::Tensor pooled = max_of_neighbours(at::relu(h.mm(weight(t, "w_p")) + weight(t, "b_p")));
    return pooled.mm(weight(t, "w_n")) + h.mm(weight(t, "w_s"));
  });
}

TEST_F(Baselines, GraphSageLstm) {
  ModelConfig config = config_of("graphsage-lstm");
  config.lstm_neighbours = 2;
  build(config);
  const ops::NeighbourSequences sequences = ops::neighbour_sequences(input_.graph, 2, 0);
  expect_formula([&](int64_t t, const at::Tensor& h) {
    const at::Tensor p = t == 0 ? h.mm(weight(t, "w_p")) : h;
    at::Tensor phi = at::zeros({kNodes, 6}, at::kDouble);
    for (int64_t n = 0; n < kNodes; ++n) {
      at::Tensor out = at::zeros({1, 6}, at::kDouble), memory = out;
      for (const at::Tensor& step : sequences.step) {
        if (n >= step.numel()) break;
        const at::Tensor z = at::cat({p[step[n].item<int64_t>()].unsqueeze(0), out}, 1);
        const auto gate = [&](const char* w, int64_t at) {
          return z.mm(weight(t, w)) + weight(t, "b_g").narrow(0, 6 * at, 6);
        };
        memory = at::sigmoid(gate("w_f", 1)) * memory + at::sigmoid(gate("w_i", 0)) * at::tanh(gate("w_c", 3));
        out = at::sigmoid(gate("w_o", 2)) * at::tanh(memory);
      }
      phi[sequences.order[n].item<int64_t>()] = out[0];
    }
    return phi.mm(weight(t, "w_n")) + h.mm(weight(t, "w_s"));
  });
}

TEST_F(Baselines, Gat) {
  ModelConfig config = config_of("gat");
  config.heads = "3,2";
  build(config);
  at::Tensor h = input_.dense;
  for (int64_t t = 0; t < 2; ++t) h = at::elu(gat_heads(t, h, t == 0 ? 3 : 2, false) + weight(t, "b"));
  expect_scores(h.mm(weight("w_y")) + weight("b_y"));
}

TEST_F(Baselines, GatOfTheGatPaper) {
  ModelConfig config = config_of("gat");
  config.depth = 3;
  config.heads = "2,2,3";
  config.output = OutputKind::kLayer;
  config.residual = Residual::kHop;
  build(config);
  const at::Tensor first = at::elu(gat_heads(0, input_.dense, 2, false) + weight(0, "b"));
  const at::Tensor second = at::elu(gat_heads(1, first, 2, false) + weight(1, "b")) + first;
  expect_scores(gat_heads(2, second, 3, true) + weight(2, "b"));
}

TEST_F(Baselines, AttentionOfGatIsThatOfItsLayers) {
  ModelConfig config = config_of("gat");
  config.output = OutputKind::kLayer;
  build(config);
  const auto attention_of = [&] { return dynamic_cast<const nn::ConvolutionStack&>(*model_).attention(input_); };
  const std::vector<at::Tensor> alpha = attention_of();
  ASSERT_EQ(alpha.size(), 2u) << "the output layer attends, too";
  at::Tensor h = input_.dense;
  for (int64_t t = 0; t < 2; ++t) {
    const at::Tensor expected = gat_alpha(h.mm(weight(t, "w")), weight(t, "a_dst")[0], weight(t, "a_src")[0]);
    const at::Tensor found = alpha[static_cast<size_t>(t)];
    EXPECT_LT((found - expected.masked_select(a_hat_ > 0)).abs().max().item<double>(), 1e-12);
    h = at::elu(gat_heads(t, h, 1, false) + weight(t, "b"));
  }
  config.heads = "3,2";
  build(config);
  const at::Tensor sums = at::zeros({kNodes}, at::kDouble)
                              .index_add(0, at::repeat_interleave(input_.graph.in_offset.diff()), attention_of()[0]);
  EXPECT_LT((sums - 1).abs().max().item<double>(), 1e-12) << "a mean over the heads";
  build(config_of("gcn"));
  EXPECT_TRUE(attention_of().empty());
}

TEST_F(Baselines, ResidualInputAddsTheFirstHiddenUnits) {
  ModelConfig config = config_of("gcn-mean");
  config.residual = Residual::kInput;
  build(config);
  const at::Tensor a = a_hat_ / a_hat_.sum(1, true);
  const at::Tensor first = at::relu(a.mm(input_.dense).mm(weight(0, "w")) + weight(0, "b"));
  const at::Tensor second = at::relu(a.mm(first).mm(weight(1, "w")) + weight(1, "b") + first);
  expect_scores(second.mm(weight("w_y")) + weight("b_y"));
}

// Path 0 - 1 - 2 and the isolated node 3; with self-loops the degrees are 2, 3, 2, 1, so that for instance
// A~[0][1] = 1 / sqrt(2 * 3). Features e_1 show column 1 of A~.
TEST(Gcn, NormalisationByHand) {
  const std::vector<NodeId> source{0, 1, 1, 2}, target{1, 0, 2, 1};
  at::Tensor x = at::eye(4);
  const ModelInput input(Features(x), Graph::from_edges(4, source, target));
  ModelConfig config;
  config.model = "gcn";
  config.hidden = 4;
  config.depth = 1;
  const auto model = make_model(config, 4, 4, 1);
  const at::NoGradGuard no_grad;
  for (auto& item : model->named_parameters()) item.value().copy_(at::eye(4));
  const float half = 0.5f, third = 1.0f / 3, sixth = 1 / std::sqrt(6.0f);
  const at::Tensor expected = at::tensor({half, sixth, 0.0f, 0.0f,    //
                                          sixth, third, sixth, 0.0f,  //
                                          0.0f, sixth, half, 0.0f,    //
                                          0.0f, 0.0f, 0.0f, 1.0f})
                                  .view({4, 4});
  EXPECT_TRUE(at::allclose(model->forward(input), expected, 1e-6, 1e-6));
}

TEST(Gat, SaysWhatIsWrongWithItsHeads) {
  ModelConfig config;
  config.model = "gat";
  config.hidden = 6;
  config.depth = 2;
  const auto make = [&](const char* heads) {
    config.heads = heads;
    return make_model(config, kFeatures, kOutputs, 1);
  };
  EXPECT_ERROR(make("4"), "4 heads do not divide a width of 6 evenly");
  EXPECT_ERROR(make("1,2,3"), "'1,2,3' is for 3 layers, but the depth is 2");
  EXPECT_ERROR(make("two"), "found 'two'");
  EXPECT_ERROR(make(""), "found ''");
  EXPECT_ERROR(make("2,"), "found '2,'");
  EXPECT_ERROR(make("0"), "1 to 1000");
  config.output = OutputKind::kLayer;
  config.depth = 1;
  EXPECT_ERROR(make("1"), "needs a depth of 2 or more");
}

TEST(GraphSageLstm, OrderFollowsTheKeyWhileTraining) {
  ModelConfig config;
  config.model = "graphsage-lstm";
  config.hidden = 6;
  config.depth = 1;
  at::manual_seed(2);
  const ModelInput input(Features(at::randn({30, kFeatures})), testing::random_graph(30, 200, 1));
  const auto model = make_model(config, kFeatures, kOutputs, 1);
  EXPECT_TRUE(model->forward(input, Pass(1)).equal(model->forward(input, Pass(1))));
  EXPECT_FALSE(model->forward(input, Pass(1)).equal(model->forward(input, Pass(2))));
  EXPECT_TRUE(model->forward(input).equal(model->forward(input)));
}

}  // namespace
}  // namespace geniepath
