// A registered model with even attention: its hops alone determine its paths, scores and explanations.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "expect_error.h"
#include "explain/small_models.h"
#include "geniepath/explain.h"
#include "geniepath/path_model.h"
#include "geniepath/train.h"

namespace geniepath {
namespace {

class EvenModel : public Model, public PathModel {
 public:
  EvenModel(const ModelConfig& config, int64_t features) : hops_(config.depth) {
    w_x_ = register_parameter("w_x", at::zeros({features, config.hidden}));
  }
  int64_t num_hops() const override { return hops_; }
  at::Tensor begin(const ModelInput& input) const override { return ops::linear(input.dense, w_x_); }
  BreadthRows breadth(int64_t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor&) const override {
    const at::Tensor degree = rows.offset.diff(), target = at::repeat_interleave(degree);
    const at::Tensor alpha = (1.0 / degree.to(at::kFloat)).index_select(0, target);
    const at::Tensor sum = at::zeros({rows.size(), h.size(1)});
    return {sum.index_add(0, target, alpha.unsqueeze(1) * h.index_select(0, rows.neighbour)), alpha};
  }

 private:
  at::Tensor represent(const ModelInput& input, Pass& pass) const override {
    return run_hops(*this, input, dropout_, pass);
  }
  int64_t hops_;
  at::Tensor w_x_;
};

std::shared_ptr<Model> even(const ModelConfig& config, int64_t features) {
  return std::make_shared<EvenModel>(config, features);
}

ModelConfig even_config() {
  static const bool done = (register_model("test-even", even), true);
  EXPECT_TRUE(done);
  ModelConfig config;
  config.model = "test-even";
  config.hidden = 6;
  config.depth = 3;
  return config;
}

TEST(OwnModel, IsExplainedAndScoredThroughItsHops) {
  const Dataset data = testing::data_on(testing::both_ways(testing::random_graph(30, 90, 4)));
  const auto model = testing::sharp_model(even_config());
  const Explainer explainer(model, data);
  EXPECT_TRUE(at::allclose(explainer.probabilities(), predict(*model, data), 1e-4, 1e-5));
  const Explanation why = explainer.explain(7, {});
  ASSERT_FALSE(why.paths.empty());
  const double degree = static_cast<double>(explainer.degree(7)) + 1;
  EXPECT_NEAR(why.paths.front().alpha.front(), 1 / degree, 1e-6);
  ASSERT_EQ(why.gates.size(), 1u) << "no memory: the last hop is all there is";
  EXPECT_EQ(why.gates.front().hop, 3);
  EXPECT_NEAR(why.gates.front().contribution, 1, 1e-6);
  for (const AttentionEntropy& layer : why.entropy) EXPECT_NEAR(layer.entropy, layer.uniform, 1e-5);
}

TEST(OwnModel, TakesANameThatIsNew) {
  const ModelConfig config = even_config();
  EXPECT_EQ(model_names().back(), "test-even");
  EXPECT_NO_THROW(config.check());
  EXPECT_ERROR(register_model("test-even", even), "register_model: there is a model 'test-even' already");
  EXPECT_ERROR(register_model("gcn", even), "register_model: there is a model 'gcn' already");
  EXPECT_ERROR(register_model("", even), "register_model: expected a name and a function");
  ModelConfig other;
  other.model = "test-odd";
  EXPECT_ERROR(other.check(), "model: 'test-odd' is not one of geniepath, ");
}

}  // namespace
}  // namespace geniepath
