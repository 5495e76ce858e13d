// Training in memory, evaluation and prediction.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "geniepath/data.h"
#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/metrics.h"
#include "geniepath/model.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Learning rate over the epochs: constant, or falling to 0 along a cosine.
enum class Schedule { kConstant, kCosine };
template <>
inline constexpr auto kNames<Schedule> =
    names<Schedule>({{Schedule::kConstant, "constant"}, {Schedule::kCosine, "cosine"}});

// Whether rare classes weigh as much as common ones in the loss; kAuto: balanced in binary tasks only.
enum class ClassWeights { kAuto, kNone, kBalanced };
template <>
inline constexpr auto kNames<ClassWeights> = names<ClassWeights>(
    {{ClassWeights::kAuto, "auto"}, {ClassWeights::kNone, "none"}, {ClassWeights::kBalanced, "balanced"}});

// The data of one training step: all graphs, or batch_graphs of them; training nodes with sampled neighbourhoods; or
// groups of nodes with the edges within: connected components (exact) or METIS clusters.
enum class BatchKind { kWhole, kNeighbours, kLabor, kComponents, kClusters };
template <>
inline constexpr auto kNames<BatchKind> = names<BatchKind>({{BatchKind::kWhole, "whole"},
                                                            {BatchKind::kNeighbours, "neighbours"},
                                                            {BatchKind::kLabor, "labor"},
                                                            {BatchKind::kComponents, "components"},
                                                            {BatchKind::kClusters, "clusters"}});

// Training signal of the hidden layers: the labels, or random walks alone.
enum class Objective { kLabels, kWalks };
template <>
inline constexpr auto kNames<Objective> =
    names<Objective>({{Objective::kLabels, "labels"}, {Objective::kWalks, "walks"}});

struct TrainConfig : Options {
  int64_t epochs = 500;
  double learning_rate = 0.01;
  Schedule schedule = Schedule::kConstant;
  int64_t warmup = 10;
  double l2 = 0;
  double weight_decay = 1;
  bool decay_attention = false;
  double clip = 1;
  double average = 0;
  double consistency = 0;
  int64_t patience = 0;
  std::string metric = "auto";  // or one of Scores::names()
  Protocol threshold = Protocol::kAuto;
  BatchKind batch = BatchKind::kWhole;
  int64_t batch_graphs = 0;
  int64_t batch_size = 1024;
  std::string fan_out = "10,10,10";  // neighbours per hop, each a number or "all"
  int64_t node_budget = 50000;
  ClassWeights class_weights = ClassWeights::kAuto;
  std::string loss = "cross-entropy";  // or a registered one
  Objective objective = Objective::kLabels;
  int64_t seed = 1;

  void visit(OptionVisitor& options) override;
};

// Random walks of node2vec, DeepWalk and models trained on walks. An epoch is one walk from every node.
struct WalkConfig : Options {
  double p = 1, q = 1;
  int64_t walk_length = 80;
  int64_t window = 10;
  int64_t negatives = 5;

  void visit(OptionVisitor& options) override;
};

// A model, and how to train it.
struct Recipe {
  ModelConfig model;
  TrainConfig train;
  WalkConfig walk;
};

// Usual values for node2vec and DeepWalk: 128 dimensions, 10 walks per node, word2vec's learning rate.
void set_walk_defaults(Recipe& recipe);
// Sizes that decide whether labels are few.
struct LabelCounts {
  Task task = Task::kMultiClass;
  int64_t classes = 0, features = 0, training_nodes = 0;
};
// Where labels are few, replaces options that still have their default. With more features than training nodes even a
// linear map could fit every label by chance: much dropout, and an L2 penalty in place of weight decay. geniepath-lazy
// without skip connections and with more weights than labels, which would memorise its training nodes: a little dropout
// (docs/training.md). Returns why labels are few; empty where nothing is replaced.
std::string set_few_label_defaults(Recipe& recipe, const Dataset& data);
std::string set_few_label_defaults(Recipe& recipe, const LabelCounts& labels);
// Selects one-hot node ids as the only features, as node2vec and DeepWalk need.
void use_node_ids(TransformOptions& transforms);

struct EpochRecord {
  int64_t epoch = 0;  // from 1
  double loss = 0, learning_rate = 0, gradient_norm = 0, seconds = 0;
  Scores valid;  // its `classes` are empty if the epoch was not scored
  bool validated = true;  // false: there are no validation nodes, and `valid` is the score of the training nodes
  bool best = false;
  double best_value = -1;  // best so far of the metric that selects the best epoch
  int64_t best_epoch = 0;
};

// One training step (Objective::kLabels).
struct StepRecord {
  int64_t epoch = 0, step = 0, steps = 0;  // epoch and step from 1; steps: in this epoch
  double learning_rate = 0;
  at::Tensor loss;  // [1]: mean over the step's nodes, before the update; item() waits for a GPU
};

// Scores of both splits under one protocol.
struct SplitScores {
  Protocol protocol = Protocol::kHalf;
  double threshold = 0.5;  // for kHalf and kTuned
  Scores valid, test;
};

struct TrainResult {
  int64_t epochs = 0, best_epoch = 0;
  int64_t loss_rose_after = 0;         // epoch since which the training loss rises for good; 0: it does not
  Scores valid, test;                  // with the weights of the best epoch
  bool validated = true;               // as in EpochRecord
  std::vector<SplitScores> protocols;  // multi-label tasks: the same under every protocol
  double threshold = 0.5;              // of the protocol; for label-count, which has none, the tuned one
  double seconds = 0, seconds_per_epoch = 0;
  int64_t peak_bytes = 0;  // of the process
  bool interrupted = false;
};

// Called on the training thread. An exception thrown by a hook ends the training.
struct TrainHooks {
  std::function<void(const EpochRecord&)> on_epoch = {};
  // Called before the first epoch and after every step and epoch. Stopping within an epoch restores the state at its
  // start, so a resumed training gives the bits of an uninterrupted one.
  std::function<bool()> should_stop = {};
  std::function<void(const StepRecord&)> on_step = {};
  // Called while validation and test nodes are scored by a forward pass over the whole graph.
  LayerProgress on_layer = {};
};

// Input of a loss function: the M training nodes of a step.
struct LossInput {
  Task task;
  at::Tensor scores;         // [M, outputs], before softmax or sigmoid
  at::Tensor labels;         // as in Dataset
  at::Tensor class_weights;  // [C] per class; [L] or [1] for positives; undefined: all 1
};

// Registers your own loss, a mean over the nodes as a differentiable scalar. From then on its name is a value of
// TrainConfig::loss. Predictions are still the softmax or sigmoid of the scores. A name in use is an Error. Safe to
// call from any thread.
using Loss = std::function<at::Tensor(const LossInput&)>;
void register_loss(const std::string& name, Loss loss);

struct Trained {
  std::shared_ptr<Model> model;  // with the weights of the best epoch
  TrainResult result;
};

// Trains in memory; nothing is written. Test nodes are scored once, at the end, with the best weights. `data` must have
// training nodes and be valid (Dataset::validate()). For runs in a folder, which can be resumed, see geniepath/run.h.
Trained train(const Dataset& data, const Recipe& recipe, const TrainHooks& hooks = {}, at::Device device = at::kCPU);

// Probabilities of every node, on the CPU: [N, C], [N, L] or [N, 1], by task. NaN or infinite ones are an Error.
at::Tensor predict(const Model& model, const Dataset& data, const LayerProgress& progress = {});

// Representation of every node, the output layer's input: [N, K], on the CPU. NaN or infinite values are an Error.
at::Tensor embed(const Model& model, const Dataset& data, const LayerProgress& progress = {});

// Scores of a split's nodes at a threshold of 0.5. In an inductive data set, only the graphs with these nodes are used.
Scores evaluate(const Model& model, const Dataset& data, const std::vector<NodeId>& nodes);

// Scores of the validation and test nodes under the protocol. A tuned threshold is `tuned`, as chosen in training, or
// the metric's best on the validation nodes, or on the training nodes if there are none.
SplitScores evaluate(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric,
                     const LayerProgress& progress = {}, std::optional<double> tuned = {});
// The same under every protocol; empty unless the task is multi-label.
std::vector<SplitScores> evaluate_protocols(const Model& model, const Dataset& data, const std::string& metric,
                                            std::optional<double> tuned = {});

// Threshold for nodes with an unknown number of labels: the protocol's, as in evaluate(); for label-count, the tuned
// one. 0.5 where there is nothing to tune on.
double decision_threshold(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric);

// Resolve "auto" for this data. label-count for a task other than multi-label is an Error.
std::string chosen_metric(const TrainConfig& config, const Dataset& data);
Protocol chosen_protocol(const TrainConfig& config, const Dataset& data);

}  // namespace geniepath
