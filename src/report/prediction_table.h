// Predictions as a CSV table: node, type, prediction, the probability of each class by its name, label, split.
#pragma once

#include "report/csv_writer.h"
#include "report/decisions.h"

namespace geniepath::report {

class PredictionTable {
 public:
  // Columns besides node, prediction and probabilities.
  struct Columns {
    bool type = false, label = false, split = false;
  };
  struct Row {
    std::string node, type;
    std::span<const float> probabilities;  // as from predict()
    std::optional<std::vector<std::string>> label{};
    const char* split = nullptr;  // null where unknown
  };

  // Writes the heading.
  PredictionTable(std::ostream& out, const Decisions& decisions, const Columns& columns);
  void add(const Row& row);

 private:
  CsvWriter table_;
  const Decisions& decisions_;
  Columns columns_;
};

}  // namespace geniepath::report
