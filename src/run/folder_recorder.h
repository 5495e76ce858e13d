// Writes to a run's folder during training: one line of metrics per epoch, the state to resume from, the best weights.
#pragma once

#include <optional>

#include "base/line_file.h"
#include "geniepath/run.h"
#include "training/train_loop.h"

namespace geniepath::run {

class FolderRecorder final : public training::Recorder {
 public:
  // With `resume`, training continues from the folder's state, if any.
  FolderRecorder(RunFolder folder, bool resume) : folder_(std::move(folder)), resume_(resume) {}

  void begin(training::Training& training) override;
  void add(const EpochRecord& record) override;
  // Writes the lines of metrics first, since the state relies on them, then the state, then the best weights, which the
  // state also holds. After its first epoch, a run that replaces another takes its place.
  void save(const training::Training& training) override;
  void save_best(const training::Training& training) override;
  std::string place() const override;

 private:
  RunFolder folder_;
  bool resume_;
  std::optional<LineFile> metrics_;
  int64_t saved_best_ = -1;  // epoch of the best weights last written
};

}  // namespace geniepath::run
