// Files of runs and searches, for comparison.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "base/file.h"

namespace geniepath::testing {

// Without times and memory, and without the checksum, which covers them.
inline std::string timeless(const std::string& text) {
  const auto keep = [](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
    if (event != nlohmann::json::parse_event_t::key) return true;
    return parsed != "seconds" && parsed != "seconds_per_epoch" && parsed != "peak_bytes" && parsed != "checksum";
  };
  return nlohmann::json::parse(text, keep).dump(1);
}

inline std::string timeless_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);) all += timeless(line) + "\n";
  return all;
}

// Seconds are the cells of a table with one decimal.
inline std::string timeless_table(const std::string& text) {
  static const std::regex seconds(R"(\| \d+\.\d \|)");
  return std::regex_replace(text, seconds, "| - |");
}

// Every file below the folder with its content, times and memory left out.
inline std::map<std::string, std::string> contents_without_times(const std::filesystem::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = std::filesystem::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || entry.path().filename() == ".lock") continue;
    const std::string kind = entry.path().extension().string(), text = read_text(entry.path());
    found[name] = kind == ".json"    ? timeless(text)
                  : kind == ".jsonl" ? timeless_lines(text)
                  : kind == ".md"    ? timeless_table(text)
                                     : text;
  }
  return found;
}

}  // namespace geniepath::testing
