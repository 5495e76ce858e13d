// Training in memory, evaluation and prediction.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "geniepath/data.h"
#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/metrics.h"
#include "geniepath/model.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

// Learning rate over the epochs: steady, or down to 0.
enum class Schedule { kConstant, kCosine };
template <>
inline constexpr auto kNames<Schedule> =
    names<Schedule>({{Schedule::kConstant, "constant"}, {Schedule::kCosine, "cosine"}});

// Whether rare classes weigh as much as common ones in the loss; kAuto: in binary tasks.
enum class ClassWeights { kAuto, kNone, kBalanced };
template <>
inline constexpr auto kNames<ClassWeights> = names<ClassWeights>(
    {{ClassWeights::kAuto, "auto"}, {ClassWeights::kNone, "none"}, {ClassWeights::kBalanced, "balanced"}});

// What the hidden layers learn from: the labels, or random walks alone.
enum class Objective { kLabels, kWalks };
template <>
inline constexpr auto kNames<Objective> =
    names<Objective>({{Objective::kLabels, "labels"}, {Objective::kWalks, "walks"}});

struct TrainConfig : Options {
  int64_t epochs = 200;
  double learning_rate = 0.01;
  Schedule schedule = Schedule::kConstant;
  double l2 = 0;
  double clip = 0;
  int64_t patience = 0;
  std::string metric = "auto";  // or one of Scores::names()
  Protocol threshold = Protocol::kAuto;
  int64_t batch_graphs = 0;
  ClassWeights class_weights = ClassWeights::kAuto;
  std::string loss = "cross-entropy";  // or a registered one
  Objective objective = Objective::kLabels;
  int64_t seed = 1;

  void visit(OptionVisitor& options) override;
};

// Random walks, for node2vec, DeepWalk and models trained on walks. An epoch is one walk from every node.
struct WalkConfig : Options {
  double p = 1, q = 1;
  int64_t walk_length = 80;
  int64_t window = 10;
  int64_t negatives = 5;

  void visit(OptionVisitor& options) override;
};

// What is trained and how.
struct Recipe {
  ModelConfig model;
  TrainConfig train;
  WalkConfig walk;
};

// What is usual for node2vec and DeepWalk: 128 dimensions, 10 walks per node, word2vec's step size.
void set_walk_defaults(Recipe& recipe);
// They know nodes by their ids alone.
void use_node_ids(TransformOptions& transforms);

struct EpochRecord {
  int64_t epoch = 0;  // from 1
  double loss = 0, learning_rate = 0, gradient_norm = 0, seconds = 0;
  Scores valid;  // without classes where the epoch was not scored
  bool best = false;
  double best_value = -1;  // so far, of the metric that picks the best epoch
  int64_t best_epoch = 0;
};

// One step of a training by labels.
struct StepRecord {
  int64_t epoch = 0, step = 0, steps = 0;  // epoch and step from 1; steps of this epoch
  double learning_rate = 0;
  at::Tensor loss;  // [1], mean over the step's nodes, before the step; reading it waits for a GPU
};

// Scores of both splits, decided by one protocol.
struct SplitScores {
  Protocol protocol = Protocol::kHalf;
  double threshold = 0.5;  // of kHalf and kTuned
  Scores valid, test;
};

struct TrainResult {
  int64_t epochs = 0, best_epoch = 0;
  Scores valid, test;                  // of the weights of the best epoch
  std::vector<SplitScores> protocols;  // of multi-label tasks: the same by every protocol
  double threshold = 0.5;              // the protocol's; of label-count, which has none, the tuned one
  double seconds = 0, seconds_per_epoch = 0;
  int64_t peak_bytes = 0;  // of the process
  bool interrupted = false;
};

// Called on the thread that trains.
struct TrainHooks {
  std::function<void(const EpochRecord&)> on_epoch;
  // Asked after every step and every epoch. Stopped within an epoch, a training is as it was at the epoch's start: resumed,
  // it goes on to the bits of one that was never stopped.
  std::function<bool()> should_stop;
  std::function<void(const StepRecord&)> on_step;
};

// What a loss function is given: the M training nodes of a step.
struct LossInput {
  Task task;
  at::Tensor scores;         // [M, outputs], before softmax or sigmoid
  at::Tensor labels;         // as in Dataset
  at::Tensor class_weights;  // [C] a weight per class; [L] or [1] the weight of positives; undefined: all alike
};

// A loss of one's own, the mean over the nodes as a differentiable scalar. From then on its name is a value of
// TrainConfig::loss. Predictions stay softmax and sigmoid of the scores. The name must be new.
using Loss = std::function<at::Tensor(const LossInput&)>;
void register_loss(const std::string& name, Loss loss);

struct Trained {
  std::shared_ptr<Model> model;  // with the weights of the best epoch
  TrainResult result;
};

// Trains in memory: nothing is written. Test nodes are scored once, at the end, with the best weights. For a folder that
// keeps the run, and resumes it, see geniepath/run.h.
Trained train(const Dataset& data, const Recipe& recipe, const TrainHooks& hooks = {}, at::Device device = at::kCPU);

// Probabilities of every node, [N, C], [N, L] or [N, 1] as the task has it.
at::Tensor predict(const Model& model, const Dataset& data);

// What the model's output layer reads of every node, [N, K].
at::Tensor embed(const Model& model, const Dataset& data);

// Scores of a split's nodes, decided at 0.5. An inductive data set's split is scored on its own graphs.
Scores evaluate(const Model& model, const Dataset& data, const std::vector<NodeId>& nodes);

// Scores of the validation and test nodes by the protocol; a tuned threshold is the metric's best on the validation
// nodes (on the training nodes where there are none).
SplitScores evaluate(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric);
// By every protocol; empty unless the task is multi-label.
std::vector<SplitScores> evaluate_protocols(const Model& model, const Dataset& data, const std::string& metric);

// What decides labels whose number is not known: the protocol's threshold, as evaluate() takes it; of label-count the
// tuned one. 0.5 where there is nothing to tune on.
double decision_threshold(const Model& model, const Dataset& data, Protocol protocol, const std::string& metric);

// The metric and protocol a run's options mean on this data.
std::string chosen_metric(const TrainConfig& config, const Dataset& data);
Protocol chosen_protocol(const TrainConfig& config, const Dataset& data);

}  // namespace geniepath
