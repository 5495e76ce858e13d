// Scores from C++ as in `geniepath serve`: a trained run scores an account that appeared after training, from several
// threads at once, and shows the paths of one like it. Run it after score_nodes, on the same folder.
#include <geniepath/geniepath.h>

#include <ATen/ATen.h>

#include <cstdio>
#include <cstdlib>
#include <future>

int main(int argc, char** argv) {
  const geniepath::Predictor predictor(geniepath::RunFolder(argc > 1 ? argv[1] : "run"));
  const geniepath::Dataset data = predictor.load_data();
  const geniepath::Explainer explainer(predictor.model(), data);  // one forward pass; every query after it is cheap

  // A new account with the features of an existing one, linked to the same devices.
  const geniepath::NodeId like = data.test.front(), newcomer = data.graph.num_nodes();
  geniepath::UnseenNodes unseen;
  unseen.features = data.features.select_rows({&like, 1});  // already prepared; raw features need predictor.prepare()
  for (const geniepath::NodeId device : data.graph.incoming().neighbours(like))
    unseen.edges.emplace_back(newcomer, device);

  const auto ask = [&] { return explainer.score(unseen)[0][0].item<float>(); };
  auto other = std::async(std::launch::async, ask);
  const float here = ask(), there = other.get();

  const geniepath::Explanation why = explainer.explain(like, {});
  std::printf("account %s: probability %.3f (threshold %.3f); a new one like it: %.3f\n", data.node_name(like).c_str(),
              explainer.probabilities()[like][0].item<float>(), predictor.threshold(), here);
  for (size_t p = 0; p < why.paths.size() && p < 3; ++p) {
    std::printf("  %.3f ", why.paths[p].product);
    for (const geniepath::NodeId node : why.paths[p].nodes) std::printf(" <- %s", data.node_name(node).c_str());
    std::printf("\n");
  }
  return here == there && here > 0 && here < 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
