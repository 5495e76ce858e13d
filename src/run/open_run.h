// A run from its beginning to its result, written to by this process alone.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/folder_lock.h"
#include "geniepath/run.h"
#include "run/resumed_run.h"

namespace geniepath::run {

class OpenRun {
 public:
  // Locks the folder where it is there, and finishes what a killed process left in it.
  explicit OpenRun(const std::filesystem::path& folder);

  // A new run: its data, prepared, and its folder with model.json and config.toml. An Error where the folder holds a run
  // worth keeping, unless `force`.
  void start(const RunRequest& request, bool force);
  // One that goes on, to as many epochs as are asked for now.
  void resume(const GivenOptions& options);

  const RunDescription& description() const { return description_; }
  const Dataset& data() const { return data_; }
  const std::vector<std::string>& notes() const { return notes_; }  // what a user should be told

  // result.json appears when the run is finished.
  TrainResult train(const TrainHooks& hooks, at::Device device);
  // What result.json holds, or would if the run were finished.
  nlohmann::ordered_json summary(const TrainResult& result, at::Device device) const;

 private:
  RunFolder folder_;
  std::optional<FolderLock> lock_;  // none before the folder is there
  RunDescription description_;
  Dataset data_;
  std::vector<std::string> notes_;
  bool resumed_ = false;
};

}  // namespace geniepath::run
