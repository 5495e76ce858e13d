#include "data/formats/planetoid.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "base/file.h"
#include "geniepath/error.h"
#include "io/pickle.h"
#include "io/pickled_arrays.h"

namespace geniepath {
namespace {

constexpr int64_t kValidNodes = 500;

// One of the eight files: its bytes, and its name for messages.
struct Part {
  std::span<const std::byte> bytes;
  std::string where;
};

SparseMatrix features_of(const Part& part) {
  const Pickle pickle(part.bytes, part.where);
  return pickled_csr(pickle, pickle.root(), part.where);
}

struct Classes {
  int64_t num_classes = 0;
  std::vector<int64_t> of_row;
};

Classes classes_of(const Part& part) {
  const Pickle pickle(part.bytes, part.where);
  const PickledInts one_hot = pickled_ints(pickle, pickle.root());
  Classes classes{one_hot.columns, {}};
  if (one_hot.values.empty() && one_hot.rows > 0) fail(part.where, ": ", one_hot.rows, " rows of no classes");
  for (auto row = one_hot.values.begin(); row != one_hot.values.end(); row += one_hot.columns) {
    const auto end = row + one_hot.columns, found = std::find(row, end, 1);
    if (found == end || std::count(row, end, 0) != one_hot.columns - 1) {
      fail(part.where, ": the label of row ", classes.of_row.size(), " is not a single 1 among zeros");
    }
    classes.of_row.push_back(found - row);
  }
  return classes;
}

struct LabelledRows {  // features and classes of the same rows
  SparseMatrix features;
  Classes classes;
};

LabelledRows block_of(const Part& features, const Part& labels) {
  LabelledRows block{features_of(features), classes_of(labels)};
  const auto labelled = static_cast<int64_t>(block.classes.of_row.size());
  if (labelled != block.features.rows) {
    fail(labels.where, ": ", labelled, " rows of labels, but ", block.features.rows, " of features");
  }
  return block;
}

void check_alike(const LabelledRows& block, const LabelledRows& all, const std::string& where) {
  if (block.features.columns != all.features.columns || block.classes.num_classes != all.classes.num_classes) {
    fail(where, ": ", block.features.columns, " features and ", block.classes.num_classes, " classes, but allx has ",
         all.features.columns, " and ally ", all.classes.num_classes);
  }
}

int64_t parse_line(std::string_view line, size_t number, const std::string& where) {
  int64_t node = 0;
  if (line.ends_with('\r')) line.remove_suffix(1);
  const bool digits = !line.empty() && line.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || line.size() > 10) {
    fail(where, ": line ", number, ": expected a node, found '", line.substr(0, 40), "'");
  }
  for (const char c : line) node = node * 10 + (c - '0');
  return node;
}

std::vector<int64_t> test_nodes_of(const Part& part) {
  std::vector<int64_t> nodes;
  std::string_view rest(reinterpret_cast<const char*>(part.bytes.data()), part.bytes.size());
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    nodes.push_back(parse_line(line, nodes.size() + 1, part.where));
  }
  return nodes;
}

// For each node from `first` on: its row in tx, or -1. The number of nodes comes from the graph, so that a bogus line
// cannot request memory that the files do not justify.
std::vector<int64_t> rows_of_test_nodes(const Part& part, std::span<const int64_t> test, int64_t first, int64_t nodes) {
  std::vector<int64_t> row(static_cast<size_t>(std::max<int64_t>(0, nodes - first)), -1);
  for (size_t i = 0; i < test.size(); ++i) {
    if (test[i] < first || test[i] >= nodes) {
      fail(part.where, ": line ", i + 1, ": node ", test[i], ", expected ", first, " to ", nodes - 1);
    }
    int64_t& row_of_node = row[static_cast<size_t>(test[i] - first)];
    if (row_of_node >= 0) fail(part.where, ": line ", i + 1, ": node ", test[i], " appears twice");
    row_of_node = static_cast<int64_t>(i);
  }
  return row;
}

Graph graph_of(const Pickle& pickle) {
  const auto entries = pickle.items(pickle.root(), PickleValue::Kind::kDict, "the graph");
  const auto nodes = static_cast<int64_t>(entries.size() / 2);
  const auto node_of = [&](const PickleValue& value, const char* what) {
    const int64_t node = pickle.integer(value, what);
    if (node < 0 || node >= nodes) {
      pickle.complain(value, what, " ", node, " does not exist: there are ", nodes, " nodes");
    }
    return static_cast<NodeId>(node);
  };
  std::vector<NodeId> source, target;
  std::vector<bool> listed(static_cast<size_t>(nodes), false);
  for (size_t i = 0; i + 1 < entries.size(); i += 2) {
    const NodeId node = node_of(*entries[i], "node");
    if (listed[static_cast<size_t>(node)]) pickle.complain(*entries[i], "node ", node, " appears twice");
    listed[static_cast<size_t>(node)] = true;
    for (const PickleValue* neighbour : pickle.items(*entries[i + 1], PickleValue::Kind::kList, "a neighbour list")) {
      source.push_back(node_of(*neighbour, "neighbour"));
      target.push_back(node);
    }
  }
  return Graph::from_edges(static_cast<NodeId>(nodes), source, target, {.symmetrise = true});
}

void append_row(const SparseMatrix& from, int64_t row, std::vector<int32_t>& column, std::vector<float>& value) {
  const auto columns = from.column.span(from.offset[row], from.offset[row + 1]);
  const auto values = from.value.span(from.offset[row], from.offset[row + 1]);
  column.insert(column.end(), columns.begin(), columns.end());
  value.insert(value.end(), values.begin(), values.end());
}

// All of `all`, then for each further node its row of `test`, or an empty one.
SparseMatrix stack(const SparseMatrix& all, const SparseMatrix& test, std::span<const int64_t> row_of_test) {
  std::vector<int64_t> offset(all.offset.begin(), all.offset.end());
  std::vector<int32_t> column(all.column.begin(), all.column.end());
  std::vector<float> value(all.value.begin(), all.value.end());
  for (const int64_t row : row_of_test) {
    if (row >= 0) append_row(test, row, column, value);
    offset.push_back(static_cast<int64_t>(column.size()));
  }
  const auto rows = static_cast<int64_t>(offset.size()) - 1;
  return {rows, all.columns, std::move(offset), std::move(column), std::move(value)};
}

at::Tensor stack(const Classes& all, const Classes& test, std::span<const int64_t> row_of_test) {
  at::Tensor labels = at::full({static_cast<int64_t>(all.of_row.size() + row_of_test.size())}, -1, at::kLong);
  int64_t* out = std::copy(all.of_row.begin(), all.of_row.end(), labels.data_ptr<int64_t>());
  for (const int64_t row : row_of_test) *out++ = row < 0 ? -1 : test.of_row[static_cast<size_t>(row)];
  return labels;
}

std::vector<NodeId> range(int64_t first, int64_t last) {
  std::vector<NodeId> nodes(static_cast<size_t>(last - first));
  std::iota(nodes.begin(), nodes.end(), static_cast<NodeId>(first));
  return nodes;
}

}  // namespace

Dataset parse_planetoid(const PlanetoidFiles& files, const std::filesystem::path& folder, const std::string& name) {
  const auto part = [&](std::span<const std::byte> bytes, const char* suffix) {
    return Part{bytes, (folder / ("ind." + name + "." + suffix)).string()};
  };
  const Part x = part(files.x, "x"), tx = part(files.tx, "tx"), allx = part(files.allx, "allx");
  const Part index = part(files.test_index, "test.index"), graph = part(files.graph, "graph");
  const LabelledRows some = block_of(x, part(files.y, "y")), test = block_of(tx, part(files.ty, "ty"));
  const LabelledRows all = block_of(allx, part(files.ally, "ally"));
  check_alike(some, all, x.where);
  check_alike(test, all, tx.where);
  const int64_t labelled = some.features.rows, known = all.features.rows;
  if (labelled > known) fail(x.where, ": ", labelled, " rows, but allx has ", known);
  const std::vector<int64_t> test_nodes = test_nodes_of(index);
  if (static_cast<int64_t>(test_nodes.size()) != test.features.rows) {
    fail(index.where, ": ", test_nodes.size(), " lines, but tx has ", test.features.rows, " rows");
  }

  Dataset data;
  data.name = name;
  data.graph = graph_of(Pickle(graph.bytes, graph.where));
  if (data.graph.num_nodes() < known) {
    fail(graph.where, ": ", data.graph.num_nodes(), " nodes, but allx has ", known, " rows");
  }
  const auto row_of_test = rows_of_test_nodes(index, test_nodes, known, data.graph.num_nodes());
  data.features = stack(all.features, test.features, row_of_test);
  data.labels = stack(all.classes, test.classes, row_of_test);
  data.num_classes = all.classes.num_classes;
  data.train = range(0, labelled);
  data.valid = range(labelled, std::min(labelled + kValidNodes, known));
  data.test.assign(test_nodes.begin(), test_nodes.end());
  std::sort(data.test.begin(), data.test.end());
  return data;
}

Dataset load_planetoid(const std::filesystem::path& folder, const std::string& name) {
  std::vector<std::shared_ptr<const MappedFile>> open;
  const auto bytes = [&](const char* suffix) {
    open.push_back(MappedFile::open(folder / ("ind." + name + "." + suffix)));
    return open.back()->bytes();
  };
  const PlanetoidFiles files{bytes("x"),  bytes("tx"),   bytes("allx"),  bytes("y"),
                             bytes("ty"), bytes("ally"), bytes("graph"), bytes("test.index")};
  return parse_planetoid(files, folder, name);
}

}  // namespace geniepath
