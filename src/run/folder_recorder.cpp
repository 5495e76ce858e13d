#include "run/folder_recorder.h"

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/weights_file.h"
#include "training/train_json.h"

namespace geniepath::run {
namespace {

// Truncates metrics.jsonl after the line of `epoch`, where a resumed run continues.
void cut_metrics(const std::filesystem::path& path, int64_t epoch) {
  if (!std::filesystem::exists(path)) return;
  const std::string text = read_text(path);
  size_t end = 0;
  for (size_t newline; epoch-- > 0 && (newline = text.find('\n', end)) != std::string::npos;) end = newline + 1;
  if (end < text.size()) write_atomically(path, [&](std::ostream& out) { out << text.substr(0, end); });
}

}  // namespace

void FolderRecorder::begin(training::Training& training) {
  const auto last = folder_.file(kLast);
  if (resume_ && std::filesystem::exists(last)) training.restore(read_learned(last), last.string());
  cut_metrics(folder_.file(kMetrics), training.progress().epoch);
  metrics_.emplace(folder_.file(kMetrics));
}

void FolderRecorder::add(const EpochRecord& record) { metrics_->add(to_json(record).dump()); }

void FolderRecorder::save(const training::Training& training) {
  metrics_->flush();
  write_safetensors(folder_.file(kLast), training.state());
  save_best(training);
}

void FolderRecorder::save_best(const training::Training& training) {
  const training::Progress& progress = training.progress();
  if (!progress.best.empty() && progress.best_epoch != saved_best_) {
    save_weights(folder_.file(kBest), progress.best, progress.best_epoch);
    saved_best_ = progress.best_epoch;
  }
  if (progress.epoch > 0) folder_ = take_place(folder_);
}

std::string FolderRecorder::place() const { return folder_.file(kBest).string(); }

}  // namespace geniepath::run
