// Our numbers beside the paper's: the results for a table or figure, as JSON, Markdown and SVG.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reproduce/paper_tables.h"

namespace geniepath::cli {

// One finished run, by the column's metric.
struct SeedScore {
  int64_t seed = 0, best_epoch = 0;
  double valid = 0, test = 0, seconds = 0;
  std::map<std::string, double> protocols;  // test scores of multi-label tasks by protocol
  std::string folder, hardware;
};

// A variant of a method on a data set, at one depth where the table has several.
struct Cell {
  size_t row = 0, column = 0;
  std::string preset;
  int64_t depth = 0;
  std::vector<SeedScore> scores;

  double mean_valid() const;
  double mean_test() const;
  double deviation() const;  // of the test scores, with n - 1; 0 for one seed
};

struct Reproduction {
  const PaperTable* table = nullptr;
  std::vector<Cell> cells;
  std::vector<std::string> left_out;  // rows that were not run, and why
  std::string command;

  std::string hardware() const;  // of its runs
  // The measured variant with the best validation score; null if none is measured.
  const Cell* chosen(size_t row, size_t column, int64_t depth = 0) const;

  nlohmann::ordered_json to_json() const;
  std::string to_markdown() const;
  std::string to_svg() const;
};

}  // namespace geniepath::cli
