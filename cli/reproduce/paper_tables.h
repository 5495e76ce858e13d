// What the paper's tables and figures hold: methods, data sets and the numbers, to be put beside ours.
#pragma once

#include <string>
#include <vector>

namespace geniepath::cli {

constexpr double kNoNumber = -1;  // the paper has a dash, or a curve without numbers

// A data set as a table has it. Presets are called DATA-VARIANT (configs/DATA-VARIANT.toml).
struct PaperColumn {
  std::string data, title, metric;
  bool percent;  // shown as 79.0, not 0.790
};

// A method. Of several variants the one with the best validation score counts, as "GraphSAGE*" in the paper.
struct PaperRow {
  std::string method;
  std::vector<std::string> variants;
  std::vector<double> paper;  // one a column
};

struct PaperTable {
  std::string name, caption;
  std::vector<PaperColumn> columns;
  std::vector<PaperRow> rows;
  bool over_depth = false;  // each row at several depths: a figure
};

const std::vector<PaperTable>& paper_tables();

}  // namespace geniepath::cli
