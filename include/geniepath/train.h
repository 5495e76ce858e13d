// Training, runs on disk, evaluation and prediction.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "geniepath/data.h"
#include "geniepath/dataset.h"
#include "geniepath/metrics.h"
#include "geniepath/model.h"
#include "geniepath/options.h"

namespace geniepath {

struct TrainConfig : Options {
  int64_t epochs = 200;
  double learning_rate = 0.01;
  std::string schedule = "constant";
  double l2 = 0;
  double clip = 0;
  int64_t patience = 0;
  std::string metric = "auto";
  std::string threshold = "auto";
  int64_t batch_graphs = 0;
  std::string class_weights = "auto";
  std::string objective = "labels";
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

// All that is needed to build a run's model again and to prepare data for it. Stored as model.json.
struct RunDescription {
  ModelConfig model;
  TrainConfig train;
  WalkConfig walk;
  DataOptions data;
  TableOptions tables;  // where the data is tables
  TableSchema schema;   // what these became
  TransformOptions transforms;
  std::string fingerprint;  // of the data as loaded; empty in runs of geniepath before it was kept
  Task task = Task::kMultiClass;
  int64_t features = 0;
  int64_t classes = 0;
  std::vector<std::string> class_names;

  nlohmann::ordered_json to_json() const;
  static RunDescription from_json(const nlohmann::ordered_json& object, const std::string& where);
};

// What is usual for node2vec and DeepWalk: 128 dimensions, 10 walks a node, word2vec's step size.
void set_walk_defaults(RunDescription& run);
// They know nodes by their ids alone.
void use_node_ids(TransformOptions& transforms);

struct EpochRecord {
  int64_t epoch = 0;  // from 1
  double loss = 0, learning_rate = 0, gradient_norm = 0, seconds = 0;
  Scores valid;  // without classes where the epoch was not scored
  bool best = false;
  double best_value = -1;  // so far, of the metric that picks the best epoch
  int64_t best_epoch = 0;

  nlohmann::ordered_json to_json() const;
};

// Scores of both splits, decided by one protocol.
struct SplitScores {
  Protocol protocol = Protocol::kHalf;
  double threshold = 0.5;  // of kHalf and kTuned
  Scores valid, test;

  nlohmann::ordered_json to_json() const;
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
nlohmann::ordered_json to_json(const Scores& scores);

struct TrainHooks {
  std::function<void(const EpochRecord&)> on_epoch;
  std::function<bool()> should_stop;  // asked after every epoch
};

// A folder that holds one run:
//   model.json         what the model is, how it was trained and on what
//   best.safetensors   weights of the best validation epoch
//   last.safetensors   weights, optimizer state and counters of the last epoch and the weights of the best, to resume from
//   metrics.jsonl      one line an epoch
//   transforms.safetensors   what the preparation learned from the training data, where it learned anything
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }

  bool holds_run() const;
  // Makes the folder for a new run. One that holds a run already is an Error, unless `force`: train() then replaces that
  // run with the new one's first checkpoint. One that was begun but never saved anything counts for nothing.
  void create(const RunDescription& description, const FittedTransforms& transforms, bool force) const;
  // Writes model.json anew.
  void describe(const RunDescription& description) const;
  RunDescription description() const;
  FittedTransforms transforms() const;
  int64_t epochs_done() const;  // of the last checkpoint; 0 where there is none
  std::filesystem::path file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Trains into the folder: from the start, or, where `resume`, from the last checkpoint the folder holds, if any,
// to the same bits an uninterrupted run gives on the same kind of device. Test nodes are scored once, at the end, with the best weights.
TrainResult train(const Dataset& data, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume = false, at::Device device = at::kCPU);

// The model of a run with its best weights, in eval() mode, on the CPU.
std::shared_ptr<Model> load_model(const RunFolder& folder);

// Probabilities of every node, [N, C], [N, L] or [N, 1] as the task has it.
at::Tensor predict(Model& model, const Dataset& data);

// What the model's output layer reads of every node, [N, K].
at::Tensor embed(Model& model, const Dataset& data);

// Scores of a split's nodes, decided at 0.5. An inductive data set's split is scored on its own graphs.
Scores evaluate(Model& model, const Dataset& data, const std::vector<NodeId>& nodes);

// Scores of the validation and test nodes by the protocol; a tuned threshold is the metric's best on the validation
// nodes (on the training nodes where there are none).
SplitScores evaluate(Model& model, const Dataset& data, Protocol protocol, const std::string& metric);
// By every protocol; empty unless the task is multi-label.
std::vector<SplitScores> evaluate_protocols(Model& model, const Dataset& data, const std::string& metric);

// What decides labels whose number is not known: the protocol's threshold, as evaluate() takes it; of label-count the
// tuned one. 0.5 where there is nothing to tune on.
double decision_threshold(Model& model, const Dataset& data, Protocol protocol, const std::string& metric);

// The metric and protocol a run's options mean on this data.
std::string chosen_metric(const TrainConfig& config, const Dataset& data);
Protocol chosen_protocol(const TrainConfig& config, const Dataset& data);

// What data a run can be used on: as many features, the same task and classes; an Error says what differs.
void check_fits(const RunDescription& run, const Dataset& data);

}  // namespace geniepath
