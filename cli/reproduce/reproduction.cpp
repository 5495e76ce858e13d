#include "reproduce/reproduction.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/statistics.h"
#include "report/plot.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
std::vector<double> each(const std::vector<SeedScore>& scores, const Value& value) {
  std::vector<double> values;
  for (const SeedScore& score : scores) values.push_back(std::invoke(value, score));
  return values;
}

template <class Value>
double mean_of(const std::vector<SeedScore>& scores, const Value& value) {
  return geniepath::mean_of(each(scores, value));
}

std::string number(double value, const PaperColumn& column) {
  return column.percent ? fixed(100 * value, 1) : fixed(value, 3);
}

std::string paper_text(double value, const PaperColumn& column) {
  return value == kNoNumber ? "–" : number(value, column);
}

std::string ours_text(const Cell* cell, const PaperColumn& column) {
  if (cell == nullptr) return "";
  std::string text = number(cell->mean_test(), column);
  if (cell->scores.size() > 1) text += " ± " + number(cell->deviation(), column);
  return text;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string markdown_rule(size_t columns) {
  std::string rule = "|---|";
  for (size_t c = 1; c < columns; ++c) rule += "---:|";
  return rule + "\n";
}

std::set<int64_t> depths_of(const Reproduction& result) {
  std::set<int64_t> depths;
  for (const Cell& cell : result.cells) depths.insert(cell.depth);
  return depths;
}

// Whether any number of this column was published.
bool published(const PaperTable& table, size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const PaperRow& row) { return row.paper[column] != kNoNumber; });
}

bool measured(const Reproduction& result, size_t column) {
  for (const Cell& cell : result.cells) {
    if (cell.column == column && !cell.scores.empty()) return true;
  }
  return false;
}

// The chosen variant of a method with several.
std::string variant_note(const PaperRow& row, const PaperColumn& column, const Cell* cell) {
  if (cell == nullptr || row.variants.size() == 1) return "";
  return " (" + cell->preset.substr(column.data.size() + 1) + ")";
}

std::string comparison(const Reproduction& result) {
  const PaperTable& table = *result.table;
  std::vector<std::string> heading{"method"};
  std::string rows;
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (!measured(result, c)) continue;
    if (published(table, c)) heading.push_back(table.columns[c].title + ": paper");
    heading.push_back(published(table, c) ? "ours" : table.columns[c].title);
  }
  for (size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::string> row{table.rows[r].method};
    bool any = false;
    for (size_t c = 0; c < table.columns.size(); ++c) {
      if (!measured(result, c)) continue;
      const Cell* cell = result.chosen(r, c);
      any = any || cell != nullptr;
      if (published(table, c)) row.push_back(paper_text(table.rows[r].paper[c], table.columns[c]));
      row.push_back(ours_text(cell, table.columns[c]) + variant_note(table.rows[r], table.columns[c], cell));
    }
    if (any) rows += markdown_row(row);
  }
  return rows.empty() ? "" : markdown_row(heading) + markdown_rule(heading.size()) + rows;
}

std::string depth_comparison(const Reproduction& result, size_t column) {
  std::vector<std::string> heading{result.table->columns[column].title};
  for (const int64_t depth : depths_of(result)) heading.push_back("T = " + std::to_string(depth));
  std::string text = markdown_row(heading) + markdown_rule(heading.size());
  for (size_t r = 0; r < result.table->rows.size(); ++r) {
    std::vector<std::string> row{result.table->rows[r].method};
    for (const int64_t depth : depths_of(result)) {
      row.push_back(ours_text(result.chosen(r, column, depth), result.table->columns[column]));
    }
    text += markdown_row(row);
  }
  return text + "\n";
}

// One row per preset: validation and test scores, times and, for multi-label tasks, all protocols.
std::string runs_table(const Reproduction& result) {
  std::string rows;
  for (const Cell& cell : result.cells) {
    if (cell.scores.empty()) continue;
    const PaperColumn& column = result.table->columns[cell.column];
    std::string protocols;
    for (const auto& [name, _] : cell.scores.front().protocols) {
      const double mean = mean_of(cell.scores, [&, &key = name](const SeedScore& s) { return s.protocols.at(key); });
      protocols += (protocols.empty() ? "" : ", ") + name + " " + number(mean, column);
    }
    const std::string depth = cell.depth > 0 ? ", T = " + std::to_string(cell.depth) : "";
    rows += markdown_row(
        {"`" + cell.preset + "`" + depth, std::to_string(cell.scores.size()), number(cell.mean_valid(), column),
         ours_text(&cell, column),
         fixed(mean_of(cell.scores, [](const SeedScore& s) { return static_cast<double>(s.best_epoch); }), 0),
         fixed(mean_of(cell.scores, &SeedScore::seconds), 1), protocols});
  }
  const std::vector<std::string> heading{
      "preset", "seeds", "validation", "test", "best epoch", "seconds per run", "test by threshold"};
  return rows.empty() ? "" : markdown_row(heading) + markdown_rule(heading.size()) + rows;
}

Json score_json(const SeedScore& score) {
  Json object{{"seed", score.seed},       {"valid", score.valid},
              {"test", score.test},       {"best_epoch", score.best_epoch},
              {"seconds", score.seconds}, {"folder", score.folder}};
  if (!score.protocols.empty()) object["protocols"] = score.protocols;
  return object;
}

// Factor of a column's scores: 1, or 100 for percent.
double scale(const PaperColumn& column) { return column.percent ? 100 : 1; }

std::string score_label(const PaperColumn& column) { return "test " + column.metric + (column.percent ? ", %" : ""); }

std::string ours_name(const Reproduction& result) {
  const bool several =
      std::any_of(result.cells.begin(), result.cells.end(), [](const Cell& cell) { return cell.scores.size() > 1; });
  return several ? "ours, mean ± s.d." : "ours";
}

report::BarChart bar_chart(const Reproduction& result, size_t c) {
  const PaperColumn& column = result.table->columns[c];
  report::BarChart chart{column.title, "", score_label(column), {}, {}, {}, column.percent ? 1 : 3};
  if (published(*result.table, c)) chart.series.push_back({"paper", {}, true});
  chart.series.push_back({ours_name(result), {}});
  for (size_t r = 0; r < result.table->rows.size(); ++r) {
    const PaperRow& row = result.table->rows[r];
    const Cell* cell = result.chosen(r, c);
    if (cell == nullptr) continue;
    chart.names.push_back(row.method);
    if (published(*result.table, c)) {
      chart.series.front().values.push_back(row.paper[c] == kNoNumber ? std::nan("") : row.paper[c] * scale(column));
    }
    chart.series.back().values.push_back(cell->mean_test() * scale(column));
    chart.series.back().spread.push_back(cell->deviation() * scale(column));
  }
  return chart;
}

report::LineChart depth_chart(const Reproduction& result, size_t c) {
  const PaperColumn& column = result.table->columns[c];
  report::LineChart chart{column.title, "depth T", score_label(column), {}, {}, {}, true, true};
  for (size_t r = 0; r < result.table->rows.size(); ++r) {
    report::Series series{result.table->rows[r].method, {}};
    for (const int64_t depth : depths_of(result)) {
      const Cell* cell = result.chosen(r, c, depth);
      if (cell == nullptr) continue;
      series.points.emplace_back(static_cast<double>(depth), cell->mean_test() * scale(column));
      series.spread.push_back(cell->deviation() * scale(column));
    }
    if (!series.points.empty()) chart.series.push_back(series);
  }
  return chart;
}

}  // namespace

double Cell::mean_valid() const { return mean_of(scores, &SeedScore::valid); }
double Cell::mean_test() const { return mean_of(scores, &SeedScore::test); }
double Cell::deviation() const { return deviation_of(each(scores, &SeedScore::test)); }

const Cell* Reproduction::chosen(size_t row, size_t column, int64_t depth) const {
  const Cell* best = nullptr;
  for (const Cell& cell : cells) {
    if (cell.row != row || cell.column != column || cell.depth != depth || cell.scores.empty()) continue;
    if (best == nullptr || cell.mean_valid() > best->mean_valid()) best = &cell;
  }
  return best;
}

std::string Reproduction::hardware() const {
  std::set<std::string> names;
  for (const Cell& cell : cells) {
    for (const SeedScore& score : cell.scores) names.insert(score.hardware);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

Json Reproduction::to_json() const {
  Json list = Json::array();
  for (const Cell& cell : cells) {
    const PaperColumn& column = table->columns[cell.column];
    const double paper = table->rows[cell.row].paper[cell.column];
    Json object{{"method", table->rows[cell.row].method},
                {"preset", cell.preset},
                {"data", column.data},
                {"metric", column.metric}};
    if (cell.depth > 0) object["depth"] = cell.depth;
    if (paper != kNoNumber) object["paper"] = paper;
    object["mean"] = cell.mean_test(), object["deviation"] = cell.deviation(), object["valid"] = cell.mean_valid();
    object["chosen"] = chosen(cell.row, cell.column, cell.depth) == &cell;
    object["runs"] = Json::array();
    for (const SeedScore& score : cell.scores) object["runs"].push_back(score_json(score));
    if (!cell.scores.empty()) list.push_back(object);
  }
  return {
      {"table", table->name}, {"command", command}, {"hardware", hardware()}, {"cells", list}, {"left_out", left_out}};
}

std::string Reproduction::to_markdown() const {
  std::string text =
      "# " + table->name + "\n\n" + table->caption + "\n\n`" + command + "`, on " + hardware() +
      ". Test scores at the best validation epoch: mean ± standard deviation over the seeds. Of a method with "
      "several variants (*), the one with the best mean validation score.\n\n";
  if (table->over_depth) {
    for (size_t c = 0; c < table->columns.size(); ++c) {
      if (measured(*this, c)) text += depth_comparison(*this, c);
    }
  } else {
    text += comparison(*this) + "\n";
  }
  text += runs_table(*this);
  for (size_t n = 0; n < left_out.size(); ++n) text += (n == 0 ? "\nLeft out:\n\n- " : "- ") + left_out[n] + "\n";
  return text;
}

std::string Reproduction::to_svg() const {
  std::vector<report::Chart> panels;
  for (size_t c = 0; c < table->columns.size(); ++c) {
    if (!measured(*this, c)) continue;
    if (table->over_depth) {
      panels.emplace_back(depth_chart(*this, c));
    } else {
      panels.emplace_back(bar_chart(*this, c));
    }
  }
  return report::svg(panels);
}

}  // namespace geniepath::cli
