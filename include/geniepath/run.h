// Training runs on disk, in folders from which they are resumed, loaded and used.
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

// A file or folder of a run's data: the option that names it, and its path from the run's folder and from the root.
struct DataFile {
  std::string option, relative, absolute;
  std::vector<std::string> tried{};  // where it was looked for; not recorded
};

// Everything needed to rebuild a run's model and to prepare data for it. Stored as model.json.
struct RunDescription : Recipe {
  DataOptions data;
  TableOptions tables;  // if the data is tables
  TableSchema schema;   // of these tables
  TransformOptions transforms;
  std::string fingerprint;  // of the data as loaded; empty in runs of older versions
  // The same before empty cells became means over the training nodes of a drawn split; empty where none did.
  std::string unfilled_fingerprint;
  std::string transforms_checksum;  // of transforms.safetensors; empty without it, and in runs of older versions
  Task task = Task::kMultiClass;
  int64_t features = 0;
  int64_t classes = 0;
  std::vector<std::string> class_names;
  std::vector<DataFile> files;  // set when the run's folder is created; runs of older versions have none
};

// A folder with one run:
//   model.json         the RunDescription
//   best.safetensors   weights of the best validation epoch
//   last.safetensors   to resume from: weights, optimizer state and counters of the last epoch, and the best weights
//   metrics.jsonl      one line per epoch
//   transforms.safetensors   the fitted preparation, if any was fitted
//   config.toml        all options, for `geniepath train --config`
//   result.json        scores and times, once the run is finished
//   paths.json         quality of its attention, once measured (`geniepath evaluate --paths`, `geniepath report`)
class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }

  bool holds_run() const;
  // Creates the folder of a new run. A run with a checkpoint already in it is an Error, unless `force`: train() then
  // replaces it at the new run's first checkpoint. A run without a checkpoint is overwritten.
  void create(const RunDescription& description, const FittedTransforms& transforms, bool force) const;
  // Overwrites model.json.
  void describe(const RunDescription& description) const;
  // Paths of its data lead to the data's present location, even if the run and its data were moved together, and from
  // any working folder. An Error if the run is missing or damaged.
  RunDescription description() const;
  FittedTransforms transforms() const;
  int64_t epochs_done() const;  // at the last checkpoint; 0 without one
  std::filesystem::path file(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// A training to run: the recipe and its data.
struct RunRequest {
  Recipe recipe;
  DataOptions data;
  TableOptions tables;  // if the data is tables
  // Chooses the preparation of the loaded data; default: usual_transforms().
  std::function<TransformOptions(const Dataset& raw)> transforms;
  // Restores options that were given on purpose although they have their default (set_few_label_defaults()).
  std::function<void(Recipe& recipe)> keep_given;
  // Folder of a partition (`geniepath partition`), in place of data, tables and transforms: it was prepared when it was
  // divided.
  std::filesystem::path partition = {};
  // The file that `data` names, if the caller is still writing it: it is not read again, and it is finished before the
  // run's folder is made.
  std::shared_ptr<NewGraphFile> written = {};
};

// A run before training: its description, and its data.
struct PreparedRun {
  RunDescription description;
  Dataset raw, data;  // as loaded, and prepared
  FittedTransforms fitted;
  std::vector<std::string> notes;  // messages for the user
};

PreparedRun prepare_run(const RunRequest& request);

struct RunSettings {
  bool resume = false;  // continue the folder's run, with its own options, from its last checkpoint
  bool force = false;   // replace the run in the folder
  at::Device device = at::kCPU;
  // Called before training for everything the user should know: what was assumed, and what looks wrong in their tables.
  std::function<void(const std::string& note)> on_note = {};
};

// Trains into the folder, as `geniepath train` does: the same files, bit for bit but for the times in them. A resumed
// run gives the bits of an uninterrupted one on the same kind of device. The folder is locked meanwhile; a lock held by
// another process is an Error.
TrainResult train(const RunRequest& request, const RunFolder& folder, const RunSettings& settings = {},
                  const TrainHooks& hooks = {});

// Loads the model of a run with its best weights, on the CPU.
std::shared_ptr<Model> load_model(const RunFolder& folder);

// Replaces the best weights of a run, e.g. after training its model further elsewhere. Its scores (result.json) are
// removed unless the weights are the same. An Error if the model is not the run's, or a weight is NaN or infinite.
void save_model(const RunFolder& folder, const Model& model);

// Checks that data matches a run: the same task, as many features, no more classes. The Error says what differs.
void check_fits(const RunDescription& run, const Dataset& data);

}  // namespace geniepath
