// The library from end to end: trains a small model on generated data into a folder, loads it back and scores all
// nodes.
#include <geniepath/geniepath.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  geniepath::RunRequest request;
  request.data.data = "account-device";
  request.data.size = 1000;
  request.recipe.model.model = "geniepath";
  request.recipe.model.hidden = 8;
  request.recipe.model.depth = 2;
  request.recipe.train.epochs = 20;

  const geniepath::RunFolder folder(argc > 1 ? argv[1] : "run");
  const geniepath::TrainResult result = geniepath::train(request, folder, {.force = true});

  const geniepath::Predictor predictor(folder);
  const geniepath::Dataset data = predictor.load_data();
  const at::Tensor probability = predictor.predict(data);
  std::printf("test F1 %.3f; %lld nodes scored\n", result.test.f1, static_cast<long long>(probability.size(0)));
  return probability.size(0) == data.graph.num_nodes() ? EXIT_SUCCESS : EXIT_FAILURE;
}
