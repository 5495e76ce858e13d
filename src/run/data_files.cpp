#include "run/data_files.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_text.h"
#include "data/catalog/registry.h"
#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kEdges = "edges", *kNodes = "nodes", *kData = "data", *kDataDir = "data-dir";

std::string full_path(const fs::path& path) { return fs::absolute(path).lexically_normal().string(); }

// The paths that an option names: only edges and nodes are lists.
std::vector<std::string> paths_in(const std::string& option, const std::string& value) {
  return option == kEdges || option == kNodes ? split_list(value) : std::vector<std::string>{value};
}

DataFile seen_from(const fs::path& folder, const char* option, const std::string& path) {
  const fs::path target = fs::weakly_canonical(path), base = fs::weakly_canonical(folder);
  return {option, target.lexically_relative(base).string(), full_path(path)};
}

// The recorded places.
std::vector<fs::path> places(const DataFile& file, const fs::path& folder) {
  return {folder / file.relative, fs::path(file.absolute)};
}

// The file's present location; none if it cannot be found.
std::optional<std::string> place_of(const DataFile& file, const fs::path& folder, const std::string& typed) {
  for (const fs::path& candidate : places(file, folder)) {
    std::error_code none;
    if (!fs::exists(candidate, none)) continue;
    if (lead_to_one(candidate, typed)) return typed;
    const std::string place = full_path(candidate);
    if (paths_in(file.option, place).size() == 1) return place;  // a comma would split it
  }
  return std::nullopt;
}

// The list of paths of one option, each replaced by its file's place.
std::string found_paths(const RunDescription& run, const char* option, const std::string& typed,
                        const fs::path& folder) {
  std::vector<DataFile> files;
  for (const DataFile& file : run.files) {
    if (file.option == option) files.push_back(file);
  }
  const std::vector<std::string> paths = split_list(typed);
  if (files.size() != paths.size()) return typed;
  std::string found;
  for (size_t p = 0; p < paths.size(); ++p) {
    found += (p == 0 ? "" : ",") + place_of(files[p], folder, paths[p]).value_or(paths[p]);
  }
  return paths.size() == 1 && found == paths[0] ? typed : found;
}

// `list`: the paths of one option, a list or one alone, where its files should be.
void check_listed(const RunDescription& run, const char* option, const std::string& list, bool can_type) {
  const std::vector<std::string> paths = paths_in(option, list);
  size_t next = 0;
  for (const DataFile& file : run.files) {
    if (file.option != option || next == paths.size()) continue;
    const std::string& path = paths[next++];
    std::error_code none;
    if (fs::exists(path, none)) continue;
    std::vector<std::string> tried{full_path(path)};
    for (const std::string& place : file.tried) {
      if (std::ranges::find(tried, place) == tried.end()) tried.push_back(place);
    }
    fail("the run's data (", option, "): ", fs::path(path).filename().string(), " is gone; looked for ", listed(tried),
         can_type ? "; --" + std::string(option) + " says where it is now" : "; put it back there");
  }
}

bool has_files(const DataOptions& data) {
  const DatasetEntry* entry = find_dataset(data.data);
  return entry != nullptr && !entry->files.empty();
}

// A data set by name: in the folder now named, if it has the files, else in the recorded one.
void find_data_folder(RunDescription& run, const fs::path& folder) {
  const auto recorded = std::ranges::find(run.files, kDataDir, &DataFile::option);
  if (recorded == run.files.end() || !has_files(run.data)) return;
  if (find_files_of(*find_dataset(run.data.data), data_folder(run.data.data_dir))) return;
  run.data.data_dir = place_of(*recorded, folder, run.data.data_dir).value_or(run.data.data_dir);
}

}  // namespace

bool lead_to_one(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::equivalent(a, b, none) && !none;
}

std::vector<DataFile> data_files(const RunDescription& run, const fs::path& folder) {
  std::vector<DataFile> files;
  if (run.data.data == "tables") {
    for (const std::string& path : split_list(run.tables.edges)) files.push_back(seen_from(folder, kEdges, path));
    for (const std::string& path : split_list(run.tables.nodes)) files.push_back(seen_from(folder, kNodes, path));
  } else if (has_files(run.data)) {
    files.push_back(seen_from(folder, kDataDir, data_folder(run.data.data_dir).string()));
  } else if (find_dataset(run.data.data) == nullptr) {
    files.push_back(seen_from(folder, kData, run.data.data));
  }
  return files;
}

void find_data_files(RunDescription& run, const fs::path& folder) {
  for (DataFile& file : run.files) {
    for (const fs::path& place : places(file, folder)) file.tried.push_back(full_path(place));
  }
  if (run.data.data == "tables") {
    run.tables.edges = found_paths(run, kEdges, run.tables.edges, folder);
    run.tables.nodes = found_paths(run, kNodes, run.tables.nodes, folder);
  } else if (const auto file = std::ranges::find(run.files, kData, &DataFile::option); file != run.files.end()) {
    run.data.data = place_of(*file, folder, run.data.data).value_or(run.data.data);
  }
  find_data_folder(run, folder);
}

void check_data_files(const RunDescription& run, const IsGiven& typed) {
  const auto check = [&](const char* option, const std::string& list) {
    if (!typed || (!typed(option) && !typed(kData))) check_listed(run, option, list, typed != nullptr);
  };
  check(kEdges, run.tables.edges), check(kNodes, run.tables.nodes), check(kData, run.data.data);
}

bool same_files(const std::string& a, const std::string& b) {
  const std::vector<std::string> first = split_list(a), second = split_list(b);
  const auto same = [](const std::string& one, const std::string& other) {
    return one == other || lead_to_one(one, other);
  };
  return std::ranges::equal(first, second, same);
}

std::string data_name(const RunDescription& run) {
  if (run.data.data != "tables") return run.data.data;
  return run.tables.edges + (run.tables.edges.empty() || run.tables.nodes.empty() ? "" : ", ") + run.tables.nodes;
}

Json to_json(const std::vector<DataFile>& files) {
  Json list = Json::array();
  for (const DataFile& file : files) {
    list.push_back({{"option", file.option}, {"relative", file.relative}, {"absolute", file.absolute}});
  }
  return list;
}

std::vector<DataFile> data_files_from_json(const Json& list, const std::string& where) {
  std::vector<DataFile> files;
  try {
    for (const Json& file : list) files.push_back({file.at("option"), file.at("relative"), file.at("absolute")});
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": ", json_reason(error));
  }
  return files;
}

}  // namespace geniepath::run
