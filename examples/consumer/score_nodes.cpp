// Trains a small model on the embedded data, then loads it back and scores every node: the library from end to end.
#include <geniepath/data.h>
#include <geniepath/train.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  geniepath::DataOptions source;
  source.data = "account-device";
  source.size = 1000;
  const geniepath::Dataset data = geniepath::load_dataset(source);

  geniepath::RunDescription run;
  run.data = source;
  run.model.model = "geniepath";
  run.model.hidden = 8;
  run.model.depth = 2;
  run.train.epochs = 20;
  run.task = data.task;
  run.features = data.features.num_features();
  run.classes = data.num_classes;
  run.class_names = data.class_names;

  const geniepath::RunFolder folder(argc > 1 ? argv[1] : "run");
  folder.create(run, {}, true);
  const geniepath::TrainResult result = geniepath::train(data, run, folder, {});
  const auto model = geniepath::load_model(folder);
  const at::Tensor probability = geniepath::predict(*model, data);
  std::printf("test F1 %.3f; %lld nodes scored\n", result.test.f1, static_cast<long long>(probability.size(0)));
  return probability.size(0) == data.graph.num_nodes() ? EXIT_SUCCESS : EXIT_FAILURE;
}
