// Tables of new rows for a small trained run, with columns, cells and edges as chosen. Accepted rows have the run's
// features, the same ones if read one at a time, and their edges end at the graph's nodes or at new ones.
#include <ATen/ATen.h>

#include <algorithm>
#include <memory>

#include "data/tables/new_edges.h"
#include "data/tables/new_rows.h"
#include "fuzz_input.h"

namespace {

using namespace geniepath;

// A run's record of its tables: numbers with gaps, text, dates, two kinds of nodes.
struct Run {
  Run() {
    const fuzz::InputFile accounts(
        "id,age,city,since,label\na,1,rome,2024-05-01,x\nb,,oslo,2024-06-01,y\nc,3,rome,,x\n");
    const fuzz::InputFile devices("id,speed\nd,0.5\ne,2\n"), edges("src,dst\na,d\nb,d\nc,e\n");
    options.nodes = accounts.path().string() + "," + devices.path().string();
    options.edges = edges.path().string();
    options.missing = Missing::kMean;
    data = load_tables(options, schema);
  }
  TableOptions options;
  TableSchema schema;
  Dataset data;
};

class NewTables {
 public:
  NewTables(fuzz::Choices& choices, const TableOptions& of_run) : options(of_run), choices_(choices) {
    options.unknown_nodes = choices.of({UnknownNodes::kAdd, UnknownNodes::kSkip, UnknownNodes::kError});
    options.nodes = add(nodes({"id", "age", "city", "since"}));
    if (!choices.one_in(4)) options.nodes += "," + add(nodes({"id", "speed"}));
    options.edges = choices.one_in(4) ? "" : add(edges());
  }

  TableOptions options;

 private:
  std::string add(const std::string& text) {
    files_.push_back(std::make_unique<fuzz::InputFile>(text));
    return files_.back()->path();
  }
  std::string id() { return std::string(choices_.text({"a", "d", "n0", "n1", "n2", "n3", "N", "", "1"})); }
  std::string value_of(const std::string& column) {
    if (choices_.one_in(24)) return choices_.bytes(choices_.below(5));
    if (column == "id") return choices_.one_in(16) ? id() : "n" + std::to_string(rows_++);
    if (column == "city") return std::string(choices_.text({"rome", "oslo", "bern", "", "\"a,b\""}));
    if (column == "since") return std::string(choices_.text({"2024-05-01", "1969-12-31", "", "2024-13-01"}));
    return std::string(
        choices_.text({"0", "-2.5", "1e3", "", choices_.one_in(8) ? "nan" : "7", choices_.one_in(8) ? "1e39" : "8"}));
  }
  std::string nodes(std::vector<std::string> columns) {
    for (uint64_t turns = choices_.below(4); turns > 0; --turns)
      std::rotate(columns.begin(), columns.begin() + 1, columns.end());
    if (choices_.one_in(12)) columns.pop_back();
    if (choices_.one_in(12)) columns.emplace_back(choices_.text({"label", "age", "city", "x"}));
    std::string text = line(columns);
    for (uint64_t rows = choices_.below(6); rows > 0; --rows) {
      std::vector<std::string> cells;
      for (const std::string& column : columns) cells.push_back(value_of(column));
      text += line(cells);
    }
    return text;
  }
  std::string edges() {
    std::string text = "src,dst\n";
    for (uint64_t rows = choices_.below(6); rows > 0; --rows) text += line({id(), id()});
    return text;
  }
  static std::string line(const std::vector<std::string>& cells) {
    std::string text;
    for (const std::string& cell : cells) text += (&cell == cells.data() ? "" : ",") + cell;
    return text + "\n";
  }

  fuzz::Choices& choices_;
  int rows_ = 0;
  std::vector<std::unique_ptr<fuzz::InputFile>> files_;
};

at::Tensor dense(const Features& features) {
  return features.is_sparse() ? features.sparse().to_dense() : features.dense();
}

// The features of all rows, read at most `most` at a time, whose edges are checked.
at::Tensor read(const Run& run, const TableOptions& options, int64_t most) {
  TableSchema schema = run.schema;
  const NodeNames names(run.data);
  NewRows rows(options, schema, {"accounts", "devices"}, names);
  NewEdges edges(options, names);
  std::vector<at::Tensor> found{at::empty({0, run.data.features.num_features()})};
  while (!rows.at_end()) {
    const NewBatch batch = rows.next(most);
    const BatchEdges of_batch = edges.of_batch(batch.ids);
    const int64_t end = run.data.graph.num_nodes() + batch.ids.size() + of_batch.unlisted;
    for (const auto& [source, target] : of_batch.edges) {
      fuzz::expect(source >= 0 && source < end && target >= 0 && target < end, "an edge to no node");
    }
    found.push_back(dense(batch.features));
    fuzz::expect(found.back().size(0) == batch.ids.size(), "features of other rows");
  }
  return at::cat(found);
}

void check(const Run& run, const TableOptions& options) {
  const at::Tensor together = read(run, options, 1000);
  fuzz::expect(together.isfinite().all().item<bool>(), "features that are not finite");
  TableOptions without_edges = options;  // which may join rows that are read apart
  without_edges.edges.clear();
  try {
    fuzz::expect(together.equal(read(run, without_edges, 1)), "other features if read one at a time");
  } catch (const Error& error) {
    throw std::logic_error(std::string("refused if read one at a time: ") + error.what());
  }
}

}  // namespace

FUZZ_TARGET(new_rows_built)(const uint8_t* data, size_t size) {
  static const Run run;
  fuzz::Choices choices(data, size);
  const NewTables tables(choices, run.options);
  return fuzz::only_errors([&] { check(run, tables.options); });
}
