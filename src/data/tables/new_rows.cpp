#include "data/tables/new_rows.h"

#include <algorithm>

#include "geniepath/error.h"

namespace geniepath {
namespace {

// Whether a table has the feature columns of one that the run was trained on, and no others.
bool fits(const TableColumns& columns, const TableSchema::Table& learned) {
  std::vector<std::string> wanted = learned.numbers, found;
  for (const TableSchema::Categories& column : learned.one_hot) wanted.push_back(column.column);
  for (const std::vector<int>& list : {columns.numbers, columns.one_hot}) {
    for (const int column : list) {
      const std::string& name = columns.names[static_cast<size_t>(column)];
      if (std::ranges::find(learned.left_out, name) == learned.left_out.end()) found.push_back(name);
    }
  }
  std::ranges::sort(wanted), std::ranges::sort(found);
  return wanted == found && (columns.sparse != TableColumns::kNone) == (learned.sparse_size >= 0);
}

// Rows of a node table whose ids are their numbers: unlike nodes added for edges, they are called 0, 1, 2, ...
int64_t num_numbered(const NodeNames& known) {
  int64_t rows = 0;
  while (known.find(std::to_string(rows))) ++rows;
  return rows;
}

}  // namespace

TableColumns columns_of(const TableSchema::Table& table, const TableOptions& options) {
  TableColumns columns;
  const auto add = [&](const std::string& name) {
    columns.names.push_back(name);
    return static_cast<int>(columns.names.size()) - 1;
  };
  for (const std::string& name : table.numbers) columns.numbers.push_back(add(name));
  for (const TableSchema::Categories& column : table.one_hot) columns.one_hot.push_back(add(column.column));
  if (table.sparse_size >= 0) columns.sparse = add(options.sparse_column);
  return columns;
}

NewFeatures::NewFeatures(const TableOptions& options, TableSchema& schema)
    : options_(options), schema_(schema), features_(options, schema, false) {}

void NewFeatures::begin(const TableColumns& columns) {
  features_.begin_table(options_.nodes, columns);
  open_ = true;
  ++next_;
}

void NewFeatures::skip_to(size_t table) {
  if (open_) features_.end_table();
  open_ = false;
  while (next_ < table) {
    begin(columns_of(schema_.tables[next_], options_));
    features_.end_table();
    open_ = false;
  }
}

void NewFeatures::add(size_t table, const TableColumns& columns, const TableRow& row) {
  if (next_ <= table) {
    skip_to(table);
    begin(columns);
  }
  if (!features_.add_row(row)) fail(row.where(), ": the row does not match the tables that the run was trained on");
}

Features NewFeatures::finish(std::span<const NodeId> order) {
  skip_to(schema_.tables.size());
  return features_.finish(order);
}

NewRows::NewRows(const TableOptions& options, TableSchema& schema, std::vector<std::string> kinds,
                 const NodeNames& known)
    : options_(options), schema_(schema), kinds_(std::move(kinds)), known_(known) {
  std::vector<std::string> paths = split_list(options.nodes);
  if (paths.empty()) fail("option nodes: no table of new rows given");
  const bool has_each = paths.size() == kinds_.size();
  if (has_each) paths = in_order_of(kinds_, paths);
  for (size_t place = 0; place < paths.size(); ++place) {
    tables_.push_back({paths[place], has_each ? place : number_of(paths[place])});
  }
  std::ranges::stable_sort(tables_, {}, &Table::number);
  open_next();
}

size_t NewRows::number_of(const std::string& path) const {
  std::vector<size_t> fitting;
  CsvReader reader(path, options_.separator_character());
  if (!reader.next()) fail(path, ": no header row");
  const TableColumns columns = find_columns(reader.fields(), options_, reader.where());
  for (size_t t = 0; t < kinds_.size(); ++t) {
    if (!fits(columns, schema_.tables[t])) continue;
    if (table_kind(path) == kinds_[t]) return t;
    fitting.push_back(t);
  }
  if (fitting.size() == 1) return fitting.front();
  fail(path, ": expected the feature columns of ", fitting.empty() ? "one" : "only one",
       " of the tables that the run was trained on (", listed(kinds_), "), found those of ", fitting.size(),
       fitting.empty() ? "" : "; name the file like the right one");
}

TableColumns NewRows::read_columns(const CsvReader& first_row) const {
  TableColumns columns = find_columns(first_row.fields(), options_, first_row.where());
  follow(columns, schema_.tables[tables_[next_table_].number], first_row.where());
  return columns;
}

void NewRows::open_next() {
  reader_.reset();
  for (; next_table_ < tables_.size() && !reader_; ++next_table_) {
    auto reader = std::make_unique<CsvReader>(tables_[next_table_].path, options_.separator_character());
    if (!reader->next()) fail(reader->name(), ": no header row");
    columns_ = read_columns(*reader);
    if (!columns_.has_header || reader->next()) reader_ = std::move(reader);
  }
}

std::string NewRows::next_number() {
  if (!num_numbered_) num_numbered_ = num_numbered(known_);
  return std::to_string(*num_numbered_ + rows_);
}

void NewRows::add_id(NewBatch& batch) {
  NumberText digits;
  const std::string counted = columns_.id == TableColumns::kNone ? next_number() : "";
  const std::string_view id = columns_.id == TableColumns::kNone
                                  ? std::string_view(counted)
                                  : whole_number_text(reader_->fields()[static_cast<size_t>(columns_.id)], digits);
  if (id.empty()) fail(reader_->where(), ": the id (column '", options_.id_column, "') is empty");
  if (known_.find(id)) {
    fail(reader_->where(), ": the id '", id,
         "' is a node of the graph that the run was trained on; expected a new one");
  }
  if (batch.ids.find(id) >= 0) fail(reader_->where(), ": the id '", id, "' appears twice");
  batch.ids.add(id);
}

void NewRows::add_type(NewBatch& batch) const {
  if (kinds_.size() < 2 && columns_.type == TableColumns::kNone) return;
  std::string_view type;
  if (columns_.type != TableColumns::kNone) type = reader_->fields()[static_cast<size_t>(columns_.type)];
  batch.types.emplace_back(type.empty() ? std::string_view(kinds_[tables_[next_table_ - 1].number]) : type);
}

double NewRows::share_read() const {
  if (!reader_) return 1;
  return (static_cast<double>(next_table_ - 1) + reader_->share_read()) / static_cast<double>(tables_.size());
}

NewBatch NewRows::next(int64_t most) {
  NewBatch batch;
  NewFeatures features(options_, schema_);
  for (; reader_ && batch.ids.size() < most; ++rows_) {
    add_id(batch);
    add_type(batch);
    features.add(tables_[next_table_ - 1].number, columns_, *reader_);
    if (!reader_->next()) open_next();
  }
  batch.features = features.finish();
  return batch;
}

}  // namespace geniepath
