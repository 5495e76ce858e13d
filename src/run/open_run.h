// A run from start to result, with exclusive access to its folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/folder_lock.h"
#include "geniepath/run.h"
#include "run/baselines.h"
#include "run/resumed_run.h"

namespace geniepath::run {

class OpenRun {
 public:
  // Locks the folder if it exists, and completes the work of a killed process in it.
  explicit OpenRun(const std::filesystem::path& folder);

  // Starts a new run: prepares its data, and creates its folder with model.json and config.toml. An Error if the folder
  // already holds a run with a checkpoint, unless `force`.
  void start(const RunRequest& request, bool force);
  // Resumes the folder's run, up to the number of epochs now given.
  void resume(const GivenOptions& options);

  const RunDescription& description() const { return description_; }
  const Dataset& data() const { return data_; }
  const std::vector<std::string>& notes() const { return notes_; }  // messages for the user

  // Set by train() when the run is finished, for a user's own tables.
  const std::optional<Baselines>& baselines() const { return baselines_; }

  // Writes result.json when the run is finished.
  TrainResult train(const TrainHooks& hooks, at::Device device);
  // The contents of result.json, also for an unfinished run.
  nlohmann::ordered_json summary(const TrainResult& result, at::Device device) const;

 private:
  RunFolder folder_;
  std::optional<FolderLock> lock_;  // none until the folder exists
  RunDescription description_;
  Dataset data_;
  std::vector<std::string> notes_;
  bool resumed_ = false;
  std::optional<Baselines> baselines_;
};

}  // namespace geniepath::run
