#include "serve/node_queue.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_map>

#include "base/text_stream.h"
#include "serve/cell_search.h"

namespace geniepath::serve {
namespace {

constexpr size_t kMostCsvColumns = 200;

bool is_set(Parameters& parameters, const char* name) { return parameters.choice(name, {"no", "yes"}, "no") == "yes"; }

std::span<const float> row_of(const at::Tensor& probabilities, NodeId node) {
  const auto width = static_cast<size_t>(probabilities.size(1));
  return {probabilities.data_ptr<float>() + static_cast<size_t>(node) * width, width};
}

bool holds(const std::vector<std::string>& names, const std::string& name) { return std::ranges::find(names, name) != names.end(); }

bool labels_match(const report::NodeFacts& facts, const QueueQuery& query, NodeId node, const std::vector<std::string>& predicted) {
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

// From last to first. Ids are made once each, as those of large graphs are numbers that must be written out.
void sort_by_id(const report::NodeFacts& facts, std::vector<NodeId>& nodes) {
  std::vector<std::pair<std::string, NodeId>> named;
  for (const NodeId node : nodes) named.emplace_back(facts.id(node), node);
  std::ranges::sort(named, std::greater<>());
  std::ranges::transform(named, nodes.begin(), [](const auto& one) { return one.second; });
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
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
  query.sort = parameters.choice("sort", {"score", "degree", "id", "change"}, "score");
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
  if (query.sort == "degree") std::ranges::stable_sort(nodes, std::greater<>(), [&](NodeId n) { return facts_.degree(n); });
  if (query.sort == "change") std::ranges::stable_sort(nodes, std::greater<>(), [&](NodeId n) { return change.at(n); });
  if (query.sort == "id") sort_by_id(facts_, nodes);
  if (query.up) std::ranges::reverse(nodes);
  return nodes;
}

std::string queue_csv(const report::NodeFacts& facts, const report::Columns& columns, const std::vector<NodeId>& nodes) {
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
    for (const FeatureColumn& column : shown) table.text(columns.cells.has(node, column) ? columns.cells.text(node, column) : "");
    table.end_row();
  }
  return out.str();
}

}  // namespace geniepath::serve
