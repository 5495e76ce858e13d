#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "geniepath/error.h"
#include "geniepath/run.h"
#include "io/safetensors.h"
#include "run/data_files.h"
#include "run/partition_folder.h"
#include "run/description_json.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/run_threshold.h"
#include "run/weights_file.h"

namespace geniepath {

bool RunFolder::holds_run() const {
  std::error_code unreadable;
  return std::filesystem::exists(file(run::kDescription), unreadable);
}

void RunFolder::create(const RunDescription& description, const FittedTransforms& transforms, bool force) const {
  run::tidy_up(*this);
  if (holds_run() && run::has_checkpoint(*this) && !force) {
    fail(path_.string(), ": already holds a run; resume it (--resume), replace it (--force), or choose another folder");
  }
  if (run::holds_partition(path_)) fail(path_.string(), ": holds a partition; choose another folder");
  const RunFolder place = run::make_starting_place(*this);
  RunDescription placed = description;
  placed.transforms_checksum.clear();
  if (!transforms.tensors.empty()) {
    write_safetensors(place.file(run::kTransforms), {transforms.tensors, {}});
    placed.transforms_checksum = written_checksum(place.file(run::kTransforms));
  }
  placed.files = run::data_files(description, path_);
  place.describe(placed);
}

void RunFolder::describe(const RunDescription& description) const {
  write_atomically(file(run::kDescription), [&](std::ostream& out) { out << sealed_json(to_json(description)); });
}

RunDescription RunFolder::description() const {
  const std::string where = file(run::kDescription).string();
  if (!holds_run()) {
    if (run::is_being_replaced(*this))
      fail(path_.string(), ": interrupted while one run replaced another; continue with train --resume");
    fail(path_.string(), ": no run here (expected ", where, ")");
  }
  RunDescription run = run_description_from_json(parse_sealed_json(read_text(where), where), where);
  run::find_data_files(run, path_);
  return run;
}

int64_t RunFolder::epochs_done() const {
  const auto path = file(run::kLast);
  return std::filesystem::exists(path) ? run::load_epoch(path) : 0;
}

std::optional<double> run::run_threshold(const RunFolder& folder) {
  const auto path = folder.file(kResult);
  if (!std::filesystem::exists(path)) return std::nullopt;
  const nlohmann::ordered_json result = parse_sealed_json(read_text(path), path.string());
  if (!result.is_object() || !result.contains("threshold") || !result["threshold"].is_number()) return std::nullopt;
  const double threshold = result["threshold"];
  return threshold >= 0 && threshold <= 1 ? std::optional(threshold) : std::nullopt;
}

FittedTransforms RunFolder::transforms() const {
  const RunDescription run = description();
  return {run.transforms, run::read_transforms(file(run::kTransforms), run.transforms_checksum)};
}

}  // namespace geniepath
