#include "run/replaced_run.h"

#include "base/descriptor.h"
#include "base/file.h"
#include "run/run_files.h"

namespace geniepath::run {
namespace {

namespace fs = std::filesystem;

// The new run's folder inside the old one's, named by the stage of the replacement. Renaming it separates the stages,
// each of which can be repeated from its start.
constexpr const char* kStarting = ".starting";  // no checkpoint yet: the old run is valid
constexpr const char* kRemoving = ".removing";  // the new run is valid; the old one's files are being removed
constexpr const char* kMoving = ".moving";      // the new one's files are being moved up

// All files but model.json, without which a folder is not a run: it is removed first and moved last.
constexpr const char* kOtherFiles[] = {kBest, kLast, kMetrics, kTransforms, kResult, kPaths, kConfig};

void rename_step(const fs::path& folder, const char* from, const char* to) {
  move_file(folder / from, folder / to);
  flush_folder_to_disk(folder);
}

void remove_folder(const fs::path& folder) {
  std::error_code problem;
  fs::remove_all(folder, problem);
  if (problem) fail_on(folder, "cannot remove", problem.value());
}

void remove_run(const fs::path& folder) {
  remove_file(folder / kDescription);
  flush_folder_to_disk(folder);
  for (const char* name : kOtherFiles) remove_file(folder / name);
}

void move_run(const fs::path& from, const fs::path& to) {
  const auto move = [&](const char* name) {
    if (fs::exists(from / name)) move_file(from / name, to / name);
  };
  for (const char* name : kOtherFiles) move(name);
  flush_folder_to_disk(to);
  move(kDescription);
  flush_folder_to_disk(to);
}

void finish_replacement(const fs::path& folder) {
  if (fs::exists(folder / kRemoving)) {
    remove_run(folder);
    rename_step(folder, kRemoving, kMoving);
  }
  if (fs::exists(folder / kMoving)) {
    move_run(folder / kMoving, folder);
    remove_folder(folder / kMoving);
  }
}

}  // namespace

bool has_checkpoint(const RunFolder& folder) {
  return fs::exists(folder.file(kLast)) || fs::exists(folder.file(kBest));
}

RunFolder make_starting_place(const RunFolder& folder) {
  make_folder(folder.path());
  if (!folder.holds_run() || !has_checkpoint(folder)) {
    remove_run(folder.path());
    return folder;
  }
  make_folder(folder.file(kStarting));
  return RunFolder(folder.file(kStarting));
}

RunFolder starting_place(const RunFolder& folder) {
  const RunFolder inside(folder.file(kStarting));
  return inside.holds_run() ? inside : folder;
}

RunFolder take_place(const RunFolder& run) {
  if (run.path().filename() != kStarting) return run;
  const fs::path folder = run.path().parent_path();
  rename_step(folder, kStarting, kRemoving);
  finish_replacement(folder);
  return RunFolder(folder);
}

bool is_being_replaced(const RunFolder& folder) {
  return fs::exists(folder.file(kRemoving)) || fs::exists(folder.file(kMoving));
}

void tidy_up(const RunFolder& folder) {
  finish_replacement(folder.path());
  if (fs::exists(folder.file(kStarting))) remove_folder(folder.file(kStarting));
}

void drop_result(const RunFolder& folder) {
  bool dropped = false;
  for (const char* name : {kResult, kPaths}) {
    if (!fs::exists(folder.file(name))) continue;
    remove_file(folder.file(name));
    dropped = true;
  }
  if (dropped) flush_folder_to_disk(folder.path());
}

}  // namespace geniepath::run
