// Runs from presets, each trained by the code of `geniepath train` into an ordinary run folder: a finished run is read,
// a stopped one continued, and only missing ones are trained. Of a data set with several published splits, the seeds
// take one after the other in turn, seed 1 the first.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::cli {

// Settings shared by all runs of a reproduction.
struct PresetRuns {
  std::filesystem::path out;                      // runs go to out/runs/PRESET/...
  std::filesystem::path presets;                  // folder of the .toml files
  std::vector<std::string> options;               // of `train`, e.g. "--threads=1"
  std::map<std::string, std::string> data_files;  // data set name -> file to read in its place

  bool has(const std::string& preset) const;
};

struct PresetRun {
  std::string preset, data;
  int64_t seed = 1;
  int64_t depth = 0;  // 0: the preset's

  std::filesystem::path folder() const;  // below out/runs
};

// The run's result.json; none if interrupted. `title` precedes the progress line.
std::optional<nlohmann::ordered_json> result_of(const PresetRuns& runs, const PresetRun& run, const std::string& title);

// The finished run's training data, read as the options say and prepared.
Dataset data_of(const PresetRuns& runs, const PresetRun& run);

// The given folder, or the configs/ of the installation or source tree that the program belongs to.
std::filesystem::path preset_folder(const std::string& given);

}  // namespace geniepath::cli
