// Writes a training into its run's folder as it goes: a line of metrics per epoch, the state to resume from, the best
// weights.
#pragma once

#include <optional>

#include "base/line_file.h"
#include "geniepath/run.h"
#include "training/train_loop.h"

namespace geniepath::run {

class FolderRecorder final : public training::Recorder {
 public:
  // Where `resume`, the training goes on from the state the folder holds, if any.
  FolderRecorder(RunFolder folder, bool resume) : folder_(std::move(folder)), resume_(resume) {}

  void begin(training::Training& training) override;
  void add(const EpochRecord& record) override;
  // In this order: the lines of metrics before the state that counts on them, and the best weights, which are in the state
  // as well, after it. With its first epoch a run that replaces another takes its place.
  void save(const training::Training& training) override;
  void save_best(const training::Training& training) override;
  std::string place() const override;

 private:
  RunFolder folder_;
  bool resume_;
  std::optional<LineFile> metrics_;
  int64_t saved_best_ = -1;  // the epoch whose weights were last written as the best
};

}  // namespace geniepath::run
