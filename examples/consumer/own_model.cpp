// Your own model: dot-product attention. Registered under a name, it is trained into a run's folder, loaded back,
// explained by its receptive paths, and scores unseen nodes, like every other model.
#include <geniepath/geniepath.h>

#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using at::Tensor;
using namespace geniepath;

// alpha_i = softmax_j (W_q' h_i) . (W_k' h_j) / sqrt(K)      h_i' = tanh(W' sum_j alpha_ij h_j)
class DotProductModel : public Model, public PathModel {
 public:
  DotProductModel(const ModelConfig& config, int64_t features) : hops_(config.depth) {
    const int64_t width = config.hidden;
    w_x_ = register_parameter("w_x", at::zeros({features, width}));
    w_q_ = register_parameter("w_q", at::zeros({width, width}));
    w_k_ = register_parameter("w_k", at::zeros({width, width}));
    w_ = register_parameter("w", at::zeros({width, width}));
  }

  int64_t num_hops() const override { return hops_; }

  Tensor begin(const ModelInput& input) const override {
    return input.dense.defined() ? ops::linear(input.dense, w_x_) : ops::sparse_linear(input.sparse, w_x_);
  }

  BreadthRows breadth(int64_t, const ops::NodeRows& rows, const Tensor& h, const Tensor&) const override {
    const int64_t nodes = rows.size();
    const Tensor target = at::repeat_interleave(rows.offset.diff()), source = rows.neighbour;
    const Tensor query = h.narrow(0, 0, nodes).mm(w_q_).index_select(0, target);
    const Tensor score =
        (query * h.mm(w_k_).index_select(0, source)).sum(1) / std::sqrt(static_cast<double>(h.size(1)));
    const Tensor weight = at::exp(score - score.detach().max());
    const Tensor sum = at::zeros({nodes}, h.options()).index_add(0, target, weight);
    const Tensor alpha = weight / sum.index_select(0, target);
    const Tensor agg = at::zeros({nodes, h.size(1)}, h.options())
                           .index_add(0, target, alpha.unsqueeze(1) * h.index_select(0, source));
    return {at::tanh(agg.mm(w_)), alpha.detach()};
  }

 private:
  Tensor represent(const ModelInput& input, Pass& pass) const override {
    return run_hops(*this, input, dropout_, pass);
  }

  int64_t hops_;
  Tensor w_x_, w_q_, w_k_, w_;
};

}  // namespace

int main(int argc, char** argv) {
  register_model("dot-product", [](const ModelConfig& config, int64_t features) {
    return std::make_shared<DotProductModel>(config, features);
  });

  RunRequest request;
  request.data.size = 1000;  // nodes of the generated account-device data
  request.recipe.model.model = "dot-product";
  request.recipe.model.hidden = 8;
  request.recipe.model.depth = 2;
  request.recipe.train.epochs = 30;
  const RunFolder folder(argc > 1 ? argv[1] : "own_model_run");
  const TrainResult result = train(request, folder, {.force = true});

  const Predictor predictor(folder);
  const Dataset data = predictor.load_data();
  const Explainer explainer(predictor.model(), data);
  const Explanation why = explainer.explain(data.test.front(), {});
  const double apart = (explainer.probabilities() - predictor.predict(data)).abs().max().item<double>();
  std::printf("test F1 %.3f; node %s rests on %zu paths, the first with a product of %.3f\n", result.test.f1,
              data.node_name(why.node).c_str(), why.paths.size(), why.paths.empty() ? 0 : why.paths.front().product);
  return !why.paths.empty() && apart < 1e-4 ? EXIT_SUCCESS : EXIT_FAILURE;
}
