// A run from start to result, with exclusive access to its folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "base/folder_lock.h"
#include "distributed/group.h"
#include "geniepath/run.h"
#include "run/baselines.h"
#include "run/partition_folder.h"
#include "run/resumed_run.h"

namespace geniepath::run {

class OpenRun {
 public:
  // Locks the folder if it exists, and completes the work of a killed process in it. Of several processes, only the
  // first does so; all later calls are collective.
  explicit OpenRun(const std::filesystem::path& folder, distributed::Group& group = distributed::alone());

  // Starts a new run: prepares its data, or this process's piece of it, and creates its folder with model.json and
  // config.toml. An Error if the folder already holds a run with a checkpoint, unless `force`.
  void start(const RunRequest& request, bool force);
  // Resumes the folder's run, up to the number of epochs now given. `partition`: a folder with pieces of the run's
  // data; empty: its whole data is loaded.
  void resume(const GivenOptions& options, const std::filesystem::path& partition = {});

  const RunDescription& description() const { return description_; }
  // The data or, of a partition, this process's piece.
  const Dataset& data() const { return piece_ ? piece_->data : data_; }
  const std::vector<std::string>& notes() const { return notes_; }  // messages for the user

  // Set by train() when the run is finished, for a user's own tables.
  const std::optional<Baselines>& baselines() const { return baselines_; }

  // Writes result.json when the run is finished.
  TrainResult train(const TrainHooks& hooks, at::Device device);
  // The contents of result.json, also for an unfinished run.
  nlohmann::ordered_json summary(const TrainResult& result, at::Device device) const;

 private:
  void create_folder(const PreparedRun& made, bool force);
  void read_folder(const GivenOptions& options);  // of the run to resume
  void receive_run();  // its description and transforms, from the first process
  void load_resumed(const std::filesystem::path& partition);
  void keep_epochs();  // records their number; until then, a run that cannot be resumed stays as it is
  void check_same_data(const std::string& print) const;
  PreparedRun open_partition(const RunRequest& request);
  void take_piece(const PartitionFolder& partition, const std::filesystem::path& folder);

  distributed::Group& group_;
  RunFolder folder_;
  std::optional<FolderLock> lock_;  // none until the folder exists
  RunDescription description_;
  FittedTransforms fitted_;
  Dataset data_;
  std::optional<partition::Piece> piece_;
  std::string partition_;  // identity of its partition
  std::vector<std::string> notes_;
  bool resumed_ = false;
  std::optional<Baselines> baselines_;
};

}  // namespace geniepath::run
