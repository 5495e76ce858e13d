// Features read backwards: the columns of a run's node tables, and the cells that a node's features came from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/tables.h"

namespace geniepath {

enum class ColumnKind { kNumber, kDate, kCategory };
template <>
inline constexpr auto kNames<ColumnKind> = names<ColumnKind>(
    {{ColumnKind::kNumber, "number"}, {ColumnKind::kDate, "date"}, {ColumnKind::kCategory, "category"}});

struct FeatureColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
  int64_t first = 0;                    // its features: one, or one per category
  std::vector<std::string> categories;
  int64_t mark = -1;                    // the feature that marks an empty cell; -1: none
  std::optional<uint8_t> type;          // of the nodes that have this column; none: all have it
  bool in_table = true;                 // false: one of many features, that no heading names

  int64_t size() const { return kind == ColumnKind::kCategory ? static_cast<int64_t>(categories.size()) : 1; }
};

// The columns behind P features. Without names, as those of node tables, and where the features were made from the
// graph, every feature is a column "feature 0", "feature 1", ...; there are none if P exceeds 100,000.
std::vector<FeatureColumn> feature_columns(const TableOptions& options, const TableSchema& schema, const Dataset& data,
                                           int64_t features);

// Cells of nodes. Texts are those of the tables, except for numbers beyond the precision of f32 and times of day.
class TableCells {
 public:
  // `data` must outlive this. `raw`: its features as loaded, before their preparation; the prepared ones are shown
  // where these have no columns in common.
  TableCells(const Dataset& data, Features raw, const TableOptions& options, const TableSchema& schema);

  const std::vector<FeatureColumn>& columns() const { return columns_; }
  const Features& features() const { return raw_; }
  bool has(NodeId node, const FeatureColumn& column) const;
  // The value in a column of numbers or dates; none where the cell is empty.
  std::optional<float> number(NodeId node, const FeatureColumn& column) const;
  std::string text(NodeId node, const FeatureColumn& column) const;  // "" where the cell is empty

 private:
  float value(NodeId node, int64_t feature) const;

  const Dataset& data_;
  Features raw_;
  std::vector<FeatureColumn> columns_;
};

// A number of a column as text: the fewest digits of the f32, or a day.
std::string cell_text(const FeatureColumn& column, float number);

}  // namespace geniepath
