// Data sets by name: their description, expected counts and the source of their files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/transforms.h"
#include "io/download.h"

namespace geniepath {

// -1: unspecified, because it is the user's choice.
struct ExpectedCounts {
  int64_t nodes = -1;
  int64_t edges = -1;  // undirected; self-loops count where the entry says so
  int64_t features = -1;  // -1 also where neither the publishers nor the reader have any
  int64_t classes = -1;
  int64_t graphs = -1;
  int64_t train = -1, valid = -1, test = -1;  // as published; 0 where no split is published
};

struct DatasetEntry {
  const char* name;
  const char* summary;
  Task task;
  const char* metric;
  const char* format;  // of load_dataset.cpp; generated: account-device, known-paths
  const char* folder;  // below the data folder; empty: generated, not read
  ExpectedCounts counts;
  bool counts_self_loops;                   // in `edges`, as the publishers do
  std::vector<RemoteFile> files;            // all are required ...
  std::vector<std::string> instead;         // ... or, where not empty, all of these
  const char* home;                         // home page
  TransformOptions transforms;              // as in the literature
  const char* threshold = "0.5";            // how its labels are decided
  std::optional<RemoteFile> zip = {};       // for files published only together
  int64_t published_splits = 1;             // to choose from by number
  const char* by_hand = "";                 // where to find files that `download` cannot fetch
};

const std::vector<DatasetEntry>& dataset_registry();

const DatasetEntry* find_dataset(const std::string& name);  // null if the name is unknown
const DatasetEntry& dataset_named(const std::string& name);  // throws an Error that lists the known names

// --data-dir where given, else the environment's GENIEPATH_DATA, else ./data.
std::filesystem::path data_folder(const std::string& data_dir);

// The folder with all of the entry's files: data/FOLDER or data itself; none if neither has them all.
std::optional<std::filesystem::path> find_files_of(const DatasetEntry& entry, const std::filesystem::path& data);

// The same, or an Error that names the missing file, the folders searched and how to get it.
std::filesystem::path files_of(const DatasetEntry& entry, const std::filesystem::path& data);

// Throws an Error unless the data set has a published split of this number; 0 is always accepted.
void check_published_split(const DatasetEntry& entry, int64_t split);

// Throws an Error if a loaded data set is not the published one.
void check_counts(const DatasetEntry& entry, const Dataset& data);

// Undirected edges as the data set's publishers state them: self-loops only where they count them.
int64_t stated_edges(const std::string& name, int64_t edges_with_loops, int64_t self_loops);

}  // namespace geniepath
