#include "data/tables/table_means.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <iterator>

namespace geniepath {
namespace {

// Where the numbers of one table lie among the features, and the marks of their empty cells.
struct MarkedNumbers {
  int64_t first = 0;
  std::vector<int64_t> mark;  // per number; -1: none
};

std::vector<MarkedNumbers> numbers_of_tables(const TableSchema& schema) {
  std::vector<MarkedNumbers> tables;
  int64_t base = 0;
  for (const TableSchema::Table& table : schema.tables) {
    MarkedNumbers numbers{.first = base, .mark = {}};
    base += std::ssize(table.numbers);
    for (const TableSchema::Categories& column : table.one_hot) base += std::ssize(column.values);
    for (const std::string& name : table.numbers) {
      numbers.mark.push_back(std::ranges::find(table.marked, name) != table.marked.end() ? base++ : -1);
    }
    base += std::max<int64_t>(table.sparse_size, 0);
    tables.push_back(std::move(numbers));
  }
  return tables;
}

// Writable copies of the features' values.
class Cells {
 public:
  explicit Cells(const Features& features) {
    if (features.is_sparse()) {
      sparse_ = features.sparse();
      values_.assign(sparse_.value.begin(), sparse_.value.end());
    } else {
      dense_ = features.dense().clone(at::MemoryFormat::Contiguous);
    }
  }

  // Null if it is not stored.
  float* find(NodeId node, int64_t feature) {
    if (dense_.defined()) return dense_.data_ptr<float>() + node * dense_.size(1) + feature;
    const auto row = sparse_.column.span(sparse_.offset[node], sparse_.offset[node + 1]);
    const auto found = std::ranges::lower_bound(row, static_cast<int32_t>(feature));
    if (found == row.end() || *found != feature) return nullptr;
    return values_.data() + sparse_.offset[node] + (found - row.begin());
  }
  double value(NodeId node, int64_t feature) {
    const float* cell = find(node, feature);
    return cell == nullptr ? 0 : *cell;
  }
  bool is_marked(NodeId node, int64_t mark) { return mark >= 0 && value(node, mark) != 0; }

  Features features() && {
    if (dense_.defined()) return dense_;
    sparse_.value = std::move(values_);
    return std::move(sparse_);
  }

 private:
  at::Tensor dense_;
  SparseMatrix sparse_;
  std::vector<float> values_;
};

std::vector<NodeId> nodes_to_learn_from(std::span<const NodeId> train, size_t table, const Dataset& data,
                                        const std::vector<int32_t>& table_of_node) {
  const auto is_listed = [&](NodeId node) {
    return table_of_node[static_cast<size_t>(node)] == static_cast<int32_t>(table);
  };
  std::vector<NodeId> nodes;
  std::ranges::copy_if(train, std::back_inserter(nodes), is_listed);
  if (!nodes.empty() || data.inductive) return nodes;
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
    if (is_listed(node)) nodes.push_back(node);
  }
  return nodes;
}

double mean_of_cells(std::span<const NodeId> nodes, int64_t feature, int64_t mark, Cells& cells) {
  double sum = 0;
  int64_t count = 0;
  for (const NodeId node : nodes) {
    if (cells.is_marked(node, mark)) continue;
    sum += cells.value(node, feature);
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

void fill_cells(const Dataset& data, const TableSchema& schema, const std::vector<MarkedNumbers>& tables,
                Cells& cells) {
  for (NodeId node = 0; node < data.graph.num_nodes(); ++node) {
    const int32_t table = schema.report.table_of_node[static_cast<size_t>(node)];
    if (table < 0) continue;  // a node that only edges name
    const auto t = static_cast<size_t>(table);
    for (size_t n = 0; n < tables[t].mark.size(); ++n) {
      if (!cells.is_marked(node, tables[t].mark[n])) continue;
      *cells.find(node, tables[t].first + static_cast<int64_t>(n)) = static_cast<float>(schema.tables[t].means[n]);
    }
  }
}

}  // namespace

void learn_means(std::span<const NodeId> train, TableSchema& schema, Dataset& data) {
  if (schema.report.table_of_node.empty()) return;
  const std::vector<MarkedNumbers> tables = numbers_of_tables(schema);
  Cells cells(data.features);
  for (size_t t = 0; t < tables.size(); ++t) {
    const std::vector<NodeId> nodes = nodes_to_learn_from(train, t, data, schema.report.table_of_node);
    for (size_t n = 0; n < tables[t].mark.size(); ++n) {
      const int64_t feature = tables[t].first + static_cast<int64_t>(n);
      schema.tables[t].means[n] = mean_of_cells(nodes, feature, tables[t].mark[n], cells);
    }
  }
  fill_cells(data, schema, tables, cells);
  data.features = std::move(cells).features();
}

}  // namespace geniepath
