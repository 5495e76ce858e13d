// The data sets known by name: what they are, what they must look like once loaded, and where their files come from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/transforms.h"
#include "io/download.h"

namespace geniepath {

// -1: not stated, because it is the user's choice.
struct ExpectedCounts {
  int64_t nodes = -1;
  int64_t edges = -1;  // undirected; self-loops counted where the entry says so
  int64_t features = -1;  // -1 also where none are published
  int64_t classes = -1;
  int64_t graphs = -1;
  int64_t train = -1, valid = -1, test = -1;  // as published; 0 where no split is
};

struct DatasetEntry {
  const char* name;
  const char* summary;
  Task task;
  const char* metric;
  const char* format;  // who reads it: planetoid, ppi, blogcatalog, csr-arrays, edge-index, account-device (made)
  const char* folder;  // below the data folder; empty: made, not read
  ExpectedCounts counts;
  bool counts_self_loops;                   // in `edges`, as the publishers do
  std::vector<RemoteFile> files;            // all are needed ...
  std::vector<std::string> instead;         // ... or, where not empty, all of these
  const char* home;                         // where a person finds it
  TransformOptions transforms;              // what the literature does with it
  const char* threshold = "0.5";            // what decides its scores
  std::optional<RemoteFile> zip = {};       // where the files are published together, without addresses of their own
};

const std::vector<DatasetEntry>& dataset_registry();

const DatasetEntry* find_dataset(const std::string& name);  // null where the name is unknown
const DatasetEntry& dataset_named(const std::string& name);  // an Error that lists the known names

// --data-dir where given, else the environment's GENIEPATH_DATA, else ./data.
std::filesystem::path data_folder(const std::string& data_dir);

// The folder that has the entry's files: data/FOLDER or data itself; none where one is missing in both.
std::optional<std::filesystem::path> find_files_of(const DatasetEntry& entry, const std::filesystem::path& data);

// The same, or an Error with the missing file, where it was looked for and how to get it.
std::filesystem::path files_of(const DatasetEntry& entry, const std::filesystem::path& data);

// An Error where a loaded data set is not the published one.
void check_counts(const DatasetEntry& entry, const Dataset& data);

// Undirected edges as the data set's publishers state them: self-loops only where they count them.
int64_t stated_edges(const std::string& name, int64_t edges_with_loops, int64_t self_loops);

}  // namespace geniepath
