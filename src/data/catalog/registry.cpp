#include "data/catalog/registry.h"

#include <cstdlib>

#include "base/suggestion.h"
#include "data/statistics.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> own_names(const DatasetEntry& entry) {
  std::vector<std::string> names;
  for (const RemoteFile& file : entry.files) names.push_back(fs::path(file.name).filename().string());
  return names;
}

// The first name that is not a file in the folder; empty if all are.
std::string first_missing(const std::vector<std::string>& names, const fs::path& folder) {
  for (const std::string& name : names) {
    std::error_code ignored;
    if (!fs::is_regular_file(folder / name, ignored)) return name;
  }
  return "";
}

void check_count(const DatasetEntry& entry, const char* what, int64_t expected, int64_t found) {
  if (expected < 0 || expected == found) return;
  fail(entry.name, ": not the published data set: expected ", expected, " ", what, ", found ", found);
}

}  // namespace

const DatasetEntry* find_dataset(const std::string& name) {
  for (const DatasetEntry& entry : dataset_registry()) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

const DatasetEntry& dataset_named(const std::string& name) {
  if (const DatasetEntry* entry = find_dataset(name)) return *entry;
  std::vector<std::string> known;
  for (const DatasetEntry& entry : dataset_registry()) known.emplace_back(entry.name);
  fail("data: '", name, "' is not one of ", listed(known), did_you_mean(name, known));
}

fs::path data_folder(const std::string& data_dir) {
  if (!data_dir.empty()) return data_dir;
  const char* from_environment = std::getenv("GENIEPATH_DATA");
  return from_environment != nullptr && *from_environment != '\0' ? from_environment : "data";
}

std::optional<fs::path> find_files_of(const DatasetEntry& entry, const fs::path& data) {
  for (const fs::path& folder : {data / entry.folder, data}) {
    if (first_missing(own_names(entry), folder).empty()) return folder;
    if (!entry.instead.empty() && first_missing(entry.instead, folder).empty()) return folder;
  }
  return std::nullopt;
}

fs::path files_of(const DatasetEntry& entry, const fs::path& data) {
  if (const auto folder = find_files_of(entry, data)) return *folder;
  const fs::path own = data / entry.folder;
  // If some of the files exist, naming the missing one is more helpful.
  std::string missing = first_missing(own_names(entry), own);
  if (missing == own_names(entry).front()) missing = first_missing(own_names(entry), data);
  const std::string from = *entry.by_hand != '\0' ? std::string(entry.by_hand)
                                                  : "`geniepath download " + std::string(entry.name) + " --data-dir " +
                                                        data.string() + "` fetches it";
  fail(entry.name, ": ", missing, " is missing: looked in ", own.string(), " and in ", data.string(), "; ", from);
}

void check_published_split(const DatasetEntry& entry, int64_t split) {
  if (split == 0 || split < entry.published_splits) return;
  fail("published-split: expected 0 to ", entry.published_splits - 1, " for ", entry.name, ", found ", split);
}

void check_counts(const DatasetEntry& entry, const Dataset& data) {
  if (data.task != entry.task) {
    fail(entry.name, ": expected a ", to_string(entry.task), " task, found ", to_string(data.task));
  }
  const DatasetStatistics found = statistics_of(data);
  const ExpectedCounts& counts = entry.counts;
  check_count(entry, "nodes", counts.nodes, found.nodes);
  check_count(entry, "edges", counts.edges, stated_edges(entry.name, found.edges, found.self_loops));
  check_count(entry, "features", counts.features, found.features);
  check_count(entry, "classes", counts.classes, found.classes);
  check_count(entry, "graphs", counts.graphs, found.graphs);
  check_count(entry, "training nodes", counts.train, found.train);
  check_count(entry, "validation nodes", counts.valid, found.valid);
  check_count(entry, "test nodes", counts.test, found.test);
}

int64_t stated_edges(const std::string& name, int64_t edges_with_loops, int64_t self_loops) {
  const DatasetEntry* entry = find_dataset(name);
  return edges_with_loops - (entry != nullptr && entry->counts_self_loops ? 0 : self_loops);
}

}  // namespace geniepath
