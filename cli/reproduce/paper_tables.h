// The paper's tables and figures, and three of ours: methods, data sets and published numbers, for comparison with ours.
#pragma once

#include <string>
#include <vector>

namespace geniepath::cli {

constexpr double kNoNumber = -1;  // a dash in the paper, or a curve without numbers

// A data set in a table. Presets are named DATA-VARIANT (configs/DATA-VARIANT.toml).
struct PaperColumn {
  std::string data, title, metric;
  bool percent;  // shown as 79.0, not 0.790
  bool new_worlds = false;  // generated data: every seed has a world of its own
};

// A method. Of several variants the one with the best validation score counts, like "GraphSAGE*" in the paper.
struct PaperRow {
  std::string method;
  std::vector<std::string> variants;
  std::vector<double> paper;  // one per column
};

struct PaperTable {
  std::string name, caption;
  std::vector<PaperColumn> columns;
  std::vector<PaperRow> rows;
  bool over_depth = false;  // a figure, with each row at several depths
};

const std::vector<PaperTable>& paper_tables();

}  // namespace geniepath::cli
