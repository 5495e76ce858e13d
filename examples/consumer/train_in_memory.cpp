// Trains in memory, without reading or writing files: watches every step, and stops when the validation score suffices.
#include <geniepath/geniepath.h>

#include <ATen/ATen.h>

#include <cstdio>
#include <cstdlib>

namespace {

// A ring of nodes, each of the class that its left neighbour's features show.
geniepath::Dataset ring(int32_t nodes) {
  geniepath::Dataset data;
  data.name = "ring";
  std::vector<geniepath::NodeId> source, target;
  for (int32_t i = 0; i < nodes; ++i) source.push_back(i), target.push_back((i + 1) % nodes);
  data.graph = geniepath::Graph::from_edges(nodes, source, target);
  at::manual_seed(1);
  const at::Tensor shown = at::randint(0, 3, {nodes}, at::kLong);
  data.features = geniepath::Features(at::one_hot(shown, 3).to(at::kFloat));
  data.labels = shown.roll(1);
  data.num_classes = 3;
  for (int32_t i = 0; i < nodes; ++i) (i % 4 == 0 ? data.valid : i % 4 == 1 ? data.test : data.train).push_back(i);
  data.validate();
  return data;
}

}  // namespace

int main() {
  const geniepath::Dataset data = ring(400);
  geniepath::Recipe recipe;
  recipe.model.hidden = 16;
  recipe.model.depth = 1;
  recipe.train.epochs = 500;

  double best = 0, first_loss = 0, last_loss = 0;
  geniepath::TrainHooks hooks;
  hooks.on_step = [&](const geniepath::StepRecord& step) {
    last_loss = step.loss.item<double>();
    if (step.epoch == 1) first_loss = last_loss;
  };
  hooks.on_epoch = [&](const geniepath::EpochRecord& epoch) { best = epoch.best_value; };
  hooks.should_stop = [&] { return best >= 0.98; };  // stops the training after this epoch

  const geniepath::Trained trained = geniepath::train(data, recipe, hooks);
  const double accuracy = geniepath::evaluate(*trained.model, data, data.test).accuracy;
  std::printf("loss %.3f to %.3f in %lld epochs, test accuracy %.3f\n", first_loss, last_loss,
              static_cast<long long>(trained.result.epochs), accuracy);
  return trained.result.interrupted && trained.result.epochs < 500 && accuracy > 0.9 ? EXIT_SUCCESS : EXIT_FAILURE;
}
