#include "report/prediction_table.h"

namespace geniepath::report {
namespace {

// Several labels are separated by ';'.
std::string semicolon_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ";") + name;
  return text;
}

}  // namespace

PredictionTable::PredictionTable(std::ostream& out, const Decisions& decisions, const Columns& columns)
    : table_(out), decisions_(decisions), columns_(columns) {
  table_.text("node");
  if (columns_.type) table_.text("type");
  table_.text("prediction");
  for (const std::string& name : decisions_.classes()) table_.text("p_" + name);
  if (columns_.label) table_.text("label");
  if (columns_.split) table_.text("split");
  table_.end_row();
}

void PredictionTable::add(const Row& row) {
  const std::vector<double> scores = decisions_.scores(row.probabilities);
  table_.text(row.node);
  if (columns_.type) table_.text(row.type);
  table_.text(semicolon_list(decisions_.predicted(scores)));
  for (const double score : scores) table_.number(static_cast<float>(score));
  if (columns_.label) table_.text(row.label ? semicolon_list(*row.label) : "");
  if (columns_.split) table_.text(row.split == nullptr ? "" : row.split);
  table_.end_row();
}

}  // namespace geniepath::report
