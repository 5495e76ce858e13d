#include "geniepath/train.h"

namespace geniepath {

void WalkConfig::visit(OptionVisitor& options) {
  options.real("p", p, {1e-6, 1e6}, "node2vec: how unlikely a walk is to turn back at once");
  options.real("q", q, {1e-6, 1e6}, "node2vec: how unlikely a walk is to move away from where it came from");
  options.integer("walk-length", walk_length, {2, 1000000},
                  "node2vec, deepwalk: nodes per walk; --epochs walks begin at every node");
  options.integer("window", window, {1, 1000}, "steps on a walk within which two nodes count as near each other");
  options.integer("negatives", negatives, {1, 63}, "nodes drawn at random as a contrast to each near node");
  const OptionCondition by_walks[] = {{"objective", {"walks"}}, {"task", {"unsupervised"}}};
  for (const char* name : {"p", "q"}) options.only_where(name, {{"model", {"node2vec"}}, by_walks[0], by_walks[1]});
  options.only_where("walk-length", {{"model", {"node2vec", "deepwalk"}}});
  for (const char* name : {"window", "negatives"}) {
    options.only_where(name, {{"model", {"node2vec", "deepwalk"}}, by_walks[0], by_walks[1]});
  }
}

void use_node_ids(TransformOptions& transforms) {
  transforms.node_features = NodeFeatures::kOneHot;
  transforms.feature_transform = FeatureTransform::kNone;
  transforms.feature_scale = 1;
}

}  // namespace geniepath
