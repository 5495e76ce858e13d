// Your own loss and metric: focal loss, and the share of malicious nodes among the likeliest. Both are registered under
// a name, which the run records.
#include <geniepath/geniepath.h>

#include <ATen/ATen.h>

#include <cstdio>
#include <cstdlib>

namespace {

// Focal loss (Lin et al. 2017): -(1 - p)^2 log p, where p is the probability of the true class. Easy nodes weigh less.
at::Tensor focal_loss(const geniepath::LossInput& input) {
  const at::Tensor truth = input.labels.to(at::kFloat).unsqueeze(1);
  const at::Tensor log_p = at::log_sigmoid(at::where(truth > 0, input.scores, -input.scores));
  return -((1 - log_p.exp()).square() * log_p).mean();
}

double precision_at_20(geniepath::Task, const at::Tensor& probabilities, const at::Tensor& labels) {
  const int64_t count = std::min<int64_t>(20, labels.numel());
  if (count == 0) return 0;
  const at::Tensor likeliest = std::get<1>(probabilities.select(1, 0).topk(count));
  return labels.index_select(0, likeliest).to(at::kDouble).mean().item<double>();
}

}  // namespace

int main(int argc, char** argv) {
  geniepath::register_loss("focal", focal_loss);
  geniepath::register_metric("precision_at_20", precision_at_20);

  geniepath::RunRequest request;
  request.data.size = 4000;  // nodes of the generated account-device data
  request.recipe.model.hidden = 16;
  request.recipe.train.epochs = 60;
  request.recipe.train.loss = "focal";
  request.recipe.train.metric = "precision_at_20";  // selects the best epoch
  const geniepath::RunFolder folder(argc > 1 ? argv[1] : "own_loss_run");
  const geniepath::TrainResult result = geniepath::train(request, folder, {.force = true});

  const double found = result.test.by_name("precision_at_20");
  std::printf("of the 20 likeliest test nodes %.0f %% are malicious\n", 100 * found);
  return folder.description().train.loss == "focal" && found > 0.5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
