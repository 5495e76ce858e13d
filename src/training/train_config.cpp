#include "geniepath/train.h"
#include "training/loss.h"

namespace geniepath {
namespace {

// node2vec and deepwalk have a training of their own; learning from walks has no loss of labels.
void declare_effects(OptionVisitor& options) {
  const std::vector<std::string> by_adam = model_names();
  for (const char* name : {"schedule", "warmup", "l2", "weight-decay", "clip"})
    options.only_where(name, {{"model", by_adam}});
  for (const char* name : {"average", "consistency", "patience", "batch", "batch-graphs", "batch-size", "fan-out",
                           "node-budget", "class-weights", "loss"}) {
    options.only_where(name, {{"model", by_adam}});
    options.only_where(name, {{"objective", {"labels"}}});
    options.only_where(name, {{"task", {"auto", "multi-class", "multi-label", "binary"}}});
  }
  options.only_where("batch-graphs", {{"batch", {"whole"}}});
  options.only_where("consistency", {{"batch", {"whole", "components", "clusters"}}});  // sampled rows are not whole
  for (const char* name : {"batch-size", "fan-out"}) options.only_where(name, {{"batch", {"neighbours", "labor"}}});
  options.only_where("node-budget", {{"batch", {"components", "clusters"}}});
}

}  // namespace

void TrainConfig::visit(OptionVisitor& options) {
  options.integer("epochs", epochs, {1, 1000000}, "passes over the training nodes");
  options.real("learning-rate", learning_rate, {0, 100}, "step size of Adam");
  options.choice("schedule", schedule, "learning rate over the epochs: constant, or a cosine down to 0");
  options.integer("warmup", warmup, {0, 1000000}, "epochs over which the learning rate grows to its full size");
  options.real("l2", l2, {0, 1000}, "L2 penalty on all weights, part of the gradient");
  options.real("weight-decay", weight_decay, {0, 1000},
               "share of every matrix taken off per epoch, times the learning rate; apart from the gradient");
  options.flag("decay-attention", decay_attention, "weight decay also shrinks the attention's weights v, W_s and W_d");
  options.real("clip", clip, {0, 1e9}, "largest norm of the gradient; larger gradients are scaled down (0: never)");
  options.real(
      "average", average, {0, 1, true},
      "share that a step leaves of the weights' running average, which is then scored and kept (0: none; 0.999 "
      "is usual)");
  options.real(
      "consistency", consistency, {0, 1000},
      "weight of a penalty on predictions that differ between two dropout masks, over all nodes of a step, labelled "
      "or not (0: none); for few labels, 1 is usual");
  options.integer("patience", patience, {0, 1000000}, "stop after this many epochs without a better score (0: never)");
  std::vector<std::string> metrics = Scores::names();
  metrics.insert(metrics.begin(), "auto");
  options.choice("metric", metric, metrics,
                 "validation score that selects the best epoch (auto: the data set's own)");
  options.choice("threshold", threshold,
                 "how labels are decided: above 0.5, above the best threshold on the validation nodes, or as many as a "
                 "node truly has (auto: as usual for the data set)");
  options.choice(
      "batch", batch,
      "what a step trains on: whole graphs; training nodes with neighbours drawn at random, hop by hop, or "
      "drawn alike for all (labor: fewer rows); or connected components or METIS clusters, with their edges");
  options.integer("batch-graphs", batch_graphs, {0, 1000000}, "whole graphs per step (0: all in one step)");
  options.integer("batch-size", batch_size, {1, int64_t{1} << 31}, "training nodes per step");
  options.text("fan-out", fan_out, "neighbours drawn per hop, such as 10,10,5; all: every one");
  options.integer("node-budget", node_budget, {1, int64_t{1} << 31},
                  "nodes per step; a larger component is a step of its own");
  options.choice("class-weights", class_weights,
                 "whether rare classes weigh as much as common ones in the loss (auto: in binary tasks)");
  options.choice("loss", loss, training::loss_names(), "loss minimised when training by labels");
  options.choice("objective", objective,
                 "what the hidden layers learn from: labels, or random walks alone (with biases)");
  options.integer("seed", seed, {0, int64_t{1} << 53},
                  "of weights, dropout and batches; one seed gives the same bits on one machine (with oneDNN, for any "
                  "number of threads)");
  declare_effects(options);
}

}  // namespace geniepath
