#include "serve/node_queue.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <unordered_map>
#include <variant>

#include "base/suggestion.h"
#include "base/text_stream.h"
#include "geniepath/names.h"
#include "io/csv.h"
#include "serve/api_error.h"
#include "serve/cell_search.h"

namespace geniepath::serve {
namespace {

using report::Json;

constexpr size_t kMostCsvColumns = 200, kMostPageColumns = 20;
constexpr std::string_view kColumn = "column:";

bool is_set(Parameters& parameters, const char* name) { return parameters.choice(name, {"no", "yes"}, "no") == "yes"; }

std::span<const float> row_of(const at::Tensor& probabilities, NodeId node) {
  const auto width = static_cast<size_t>(probabilities.size(1));
  return {probabilities.data_ptr<float>() + static_cast<size_t>(node) * width, width};
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool labels_match(const report::NodeFacts& facts, const QueueQuery& query, NodeId node,
                  const std::vector<std::string>& predicted) {
  if (query.label.empty() && !query.disagree) return true;
  const auto labels = facts.labels(node);
  if (query.disagree && (!labels || *labels == predicted)) return false;
  if (query.label.empty()) return true;
  return query.label == "-" ? !labels : labels && holds(*labels, query.label);
}

bool attributes_match(const report::NodeFacts& facts, const QueueQuery& query, NodeId node) {
  const char *type = facts.type(node), *split = facts.split(node);
  if (!query.type.empty() && (type == nullptr || query.type != type)) return false;
  return query.split.empty() || (split == nullptr ? query.split == "none" : query.split == split);
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

// A key to sort nodes by: numbers come before texts. None: the node has no value.
using SortKey = std::optional<std::variant<double, std::string>>;

// The columns of one name: several tables may have one each.
struct SameName {
  SameName(const TableCells& cells, const std::string& name) {
    for (const FeatureColumn& column : cells.columns()) {
      if (column.name == name) columns.push_back(&column);
    }
  }
  // The one of the node's table; null if it has none.
  const FeatureColumn* of(NodeId node, const TableCells& cells) const {
    const auto found =
        std::ranges::find_if(columns, [&](const FeatureColumn* column) { return cells.has(node, *column); });
    return found == columns.end() ? nullptr : *found;
  }

  std::vector<const FeatureColumn*> columns;
};

// Ids and classes may be numbers.
SortKey key_of(const std::string& text) {
  const auto number = parse_number(text);
  return number && std::isfinite(*number) ? SortKey(*number) : SortKey(text);
}

SortKey key_of(const char* text) { return text == nullptr ? SortKey() : SortKey(text); }

SortKey cell_key(const TableCells& cells, const SameName& column, NodeId node) {
  const FeatureColumn* own = column.of(node, cells);
  if (own == nullptr) return {};
  if (const auto number = cells.number(node, *own)) return *number;
  const std::string text = cells.text(node, *own);
  return text.empty() ? SortKey() : SortKey(text);
}

std::function<SortKey(NodeId)> cell_keys(const report::Columns& columns, const std::string& name) {
  const SameName column(columns.cells, name);
  if (column.columns.empty()) {
    const std::vector<std::string> names = column_names(columns);
    throw ApiError(400, "bad_parameter", "sort: no column is called '" + name + "'" + did_you_mean(name, names),
                   "column: and one of " + listed(names, kMostListed), name);
  }
  return [&columns, column](NodeId node) { return cell_key(columns.cells, column, node); };
}

std::function<SortKey(NodeId)> fact_keys(const report::NodeFacts& facts, const std::string& name) {
  if (name == "degree") return [&](NodeId node) { return SortKey(static_cast<double>(facts.degree(node))); };
  if (name == "type") return [&](NodeId node) { return key_of(facts.type(node)); };
  if (name == "split") return [&](NodeId node) { return key_of(facts.split(node)); };
  if (name == "predicted") return [&](NodeId node) { return key_of(joined(facts.predicted(facts.scores(node)))); };
  if (name == "label") {
    return [&](NodeId node) {
      const auto labels = facts.labels(node);
      return labels ? key_of(joined(*labels)) : SortKey();
    };
  }
  return [&](NodeId node) { return key_of(facts.id(node)); };
}

// Nodes without a key come last, either way. Each key is made once, as ids of large graphs are numbers to be written
// out.
void sort_by(const std::function<SortKey(NodeId)>& key, bool up, std::vector<NodeId>& nodes) {
  std::vector<std::pair<SortKey, NodeId>> keyed;
  for (const NodeId node : nodes) keyed.emplace_back(key(node), node);
  const auto has_key = [](const auto& one) { return one.first.has_value(); };
  const auto end = std::stable_partition(keyed.begin(), keyed.end(), has_key);
  std::stable_sort(keyed.begin(), end, [](const auto& one, const auto& other) { return *one.first > *other.first; });
  if (up) std::reverse(keyed.begin(), end);
  std::ranges::transform(keyed, nodes.begin(), [](const auto& one) { return one.second; });
}

// One of the names, or a column, which is looked for later.
std::string sort_name(Parameters& parameters) {
  const std::string name = parameters.text("sort", 512, "score");
  if (name.starts_with(kColumn)) return name;
  return parameters.choice(
      "sort", {"score", "degree", "id", "change", "type", "split", "label", "predicted", "column:NAME"}, "score");
}

void write_heading(report::CsvWriter& table, const std::vector<FeatureColumn>& columns) {
  for (const char* name : {"id", "type", "split", "label", "predicted", "score", "neighbours"}) table.text(name);
  for (const FeatureColumn& column : columns) table.text(column.name);
  table.end_row();
}

}  // namespace

QueueQuery queue_query(Parameters& parameters) {
  QueueQuery query;
  query.text = parameters.text("q", 512, "");
  query.type = parameters.text("type", 512, "");
  query.split = parameters.choice("split", {"train", "valid", "test", "none"}, "");
  query.label = parameters.text("label", 512, "");
  query.predicted = parameters.text("predicted", 512, "");
  query.from = parameters.real("from", 0, 1, 0);
  query.to = parameters.real("to", 0, 1, 1);
  query.disagree = is_set(parameters, "disagree");
  query.decided = is_set(parameters, "decided");
  query.sort = sort_name(parameters);
  query.up = parameters.choice("order", {"down", "up"}, "down") == "up";
  return query;
}

std::vector<NodeId> NodeQueue::matching(const QueueQuery& query, const std::vector<report::DecidedNode>& tried) const {
  std::unordered_map<NodeId, double> change;
  for (const report::DecidedNode& one : tried) {
    if (!query.decided || one.changes) change.emplace(one.node, one.change());
  }
  const auto found = cell_search(query.text, facts_, columns_);
  std::vector<NodeId> nodes;
  for (const NodeId node : by_score_) {
    if (query.needs_tried() && !change.contains(node)) continue;
    const std::span<const float> row = row_of(probabilities_, node);
    const double score = *std::ranges::max_element(row);
    if (score < query.from || score > query.to || !attributes_match(facts_, query, node)) continue;
    if (!query.predicted.empty() || query.disagree || !query.label.empty()) {
      const std::vector<std::string> predicted = facts_.predicted(facts_.decisions().scores(row));
      if (!query.predicted.empty() && !holds(predicted, query.predicted)) continue;
      if (!labels_match(facts_, query, node, predicted)) continue;
    }
    if (found(node)) nodes.push_back(node);
  }
  if (query.sort == "score") {
    if (query.up) std::ranges::reverse(nodes);
  } else if (query.sort == "change") {
    sort_by([&](NodeId node) { return SortKey(change.at(node)); }, query.up, nodes);
  } else {
    const bool cell = query.sort.starts_with(kColumn);
    sort_by(cell ? cell_keys(columns_, query.sort.substr(kColumn.size())) : fact_keys(facts_, query.sort), query.up,
            nodes);
  }
  return nodes;
}

Json queue_cells(const report::Columns& columns, std::span<const NodeId> nodes) {
  std::vector<SameName> shown;
  Json about = Json::array(), rows = Json::array();
  for (const FeatureColumn& column : columns.cells.columns()) {
    const auto is_same = [&](const SameName& other) { return other.columns.front()->name == column.name; };
    if (!column.in_table || shown.size() == kMostPageColumns || std::ranges::any_of(shown, is_same)) continue;
    about.push_back({{"name", column.name}, {"kind", to_string(column.kind)}});
    shown.emplace_back(columns.cells, column.name);
  }
  for (const NodeId node : nodes) {
    Json row = Json::array();
    for (const SameName& column : shown) {
      const FeatureColumn* own = column.of(node, columns.cells);
      row.push_back(own == nullptr ? "" : columns.cells.text(node, *own));
    }
    rows.push_back(std::move(row));
  }
  return {{"columns", about}, {"cells", rows}};
}

std::string queue_csv(const report::NodeFacts& facts, const report::Columns& columns,
                      const std::vector<NodeId>& nodes) {
  std::vector<FeatureColumn> shown = columns.cells.columns();
  shown.resize(std::min(shown.size(), kMostCsvColumns));
  TextStream out;
  report::CsvWriter table(out);
  write_heading(table, shown);
  for (const NodeId node : nodes) {
    const std::vector<double> scores = facts.scores(node);
    const auto labels = facts.labels(node);
    table.text(facts.id(node)).text(facts.type(node) == nullptr ? "" : facts.type(node));
    table.text(facts.split(node) == nullptr ? "" : facts.split(node)).text(labels ? joined(*labels) : "");
    table.text(joined(facts.predicted(scores))).number(scores[facts.telling_class(node)]);
    table.number(static_cast<double>(facts.degree(node)));
    for (const FeatureColumn& column : shown)
      table.text(columns.cells.has(node, column) ? columns.cells.text(node, column) : "");
    table.end_row();
  }
  return out.str();
}

}  // namespace geniepath::serve
