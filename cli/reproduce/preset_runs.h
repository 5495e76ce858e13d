// Runs made from presets, each by the code of `geniepath train` into an ordinary run folder: one that is finished is
// read, one that was stopped goes on, and only what is missing is trained.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath::cli {

// What every run of a reproduction shares.
struct PresetRuns {
  std::filesystem::path out;                      // runs go to out/runs/PRESET/...
  std::filesystem::path presets;                  // folder of the .toml files
  std::vector<std::string> options;               // as for `train`: "--threads=1"
  std::map<std::string, std::string> data_files;  // data set name -> what to read in its place

  bool has(const std::string& preset) const;
};

struct PresetRun {
  std::string preset, data;
  int64_t seed = 1;
  int64_t depth = 0;  // 0: the preset's

  std::filesystem::path folder() const;  // below out/runs
};

// What result.json of the run says; nothing where it was interrupted. `title` goes in front of the progress line.
std::optional<nlohmann::ordered_json> result_of(const PresetRuns& runs, const PresetRun& run, const std::string& title);

// What the finished run was trained on, read from where the options say and prepared.
Dataset data_of(const PresetRuns& runs, const PresetRun& run);

// The folder given, or configs/ beside the program: of an installation, or of the source tree it was built in.
std::filesystem::path preset_folder(const std::string& given);

}  // namespace geniepath::cli
