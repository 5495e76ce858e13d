// Runs on disk: what is trained on which data, kept in a folder that can be resumed, loaded and used.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geniepath/data.h"
#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/model.h"
#include "geniepath/train.h"

namespace geniepath GENIEPATH_EXPORT {

// All that is needed to build a run's model again and to prepare data for it. Stored as model.json.
struct RunDescription : Recipe {
  DataOptions data;
  TableOptions tables;  // where the data is tables
  TableSchema schema;   // what these became
  TransformOptions transforms;
  std::string fingerprint;  // of the data as loaded; empty in runs of geniepath before it was kept
  Task task = Task::kMultiClass;
  int64_t features = 0;
  int64_t classes = 0;
  std::vector<std::string> class_names;
};

// A folder that holds one run:
//   model.json         what the model is, how it was trained and on what
//   best.safetensors   weights of the best validation epoch
//   last.safetensors   weights, optimizer state and counters of the last epoch and the weights of the best, to resume from
//   metrics.jsonl      one line per epoch
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

// What to train, and on which data.
struct RunRequest {
  Recipe recipe;
  DataOptions data;
  TableOptions tables;  // where the data is tables
  // How the data, as loaded, is prepared; where not given: as is usual for it.
  std::function<TransformOptions(const Dataset& raw)> transforms;
};

// The data loaded and prepared, and the run described.
struct PreparedRun {
  RunDescription description;
  Dataset raw, data;  // as loaded, and prepared
  FittedTransforms fitted;
  std::vector<std::string> notes;  // what a user should be told
};

PreparedRun prepare_run(const RunRequest& request);

struct RunSettings {
  bool resume = false;  // go on with the run in the folder, which keeps its options, from its last checkpoint
  bool force = false;   // replace the run in the folder
  at::Device device = at::kCPU;
};

// Trains into the folder, as `geniepath train` does: the same files, to the same bits. A resumed run goes on to the bits an
// uninterrupted one gives on the same kind of device. The folder is this process's alone meanwhile.
TrainResult train(const RunRequest& request, const RunFolder& folder, const RunSettings& settings = {},
                  const TrainHooks& hooks = {});

// The model of a run with its best weights, on the CPU.
std::shared_ptr<Model> load_model(const RunFolder& folder);

// What data a run can be used on: as many features, the same task and classes; an Error says what differs.
void check_fits(const RunDescription& run, const Dataset& data);

}  // namespace geniepath
