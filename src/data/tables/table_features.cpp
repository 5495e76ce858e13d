#include "data/tables/table_features.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath {
namespace {

constexpr int64_t kMostFeatures = std::numeric_limits<int32_t>::max();

Interner sorted_values(const Interner& seen) {
  std::vector<std::string> values = seen.texts();
  std::sort(values.begin(), values.end());
  Interner sorted;
  for (const std::string& value : values) sorted.add(value);
  return sorted;
}

// The values of each column, sorted, so that they do not depend on the order of rows.
std::vector<Interner> read_categories(const std::filesystem::path& path, char separator,
                                      const std::vector<int>& columns) {
  std::vector<Interner> seen(columns.size());
  if (columns.empty()) return seen;
  CsvReader table(path, separator);
  table.next();
  while (table.next()) {
    for (size_t c = 0; c < columns.size(); ++c) {
      const std::string_view value = table.fields()[static_cast<size_t>(columns[c])];
      if (!value.empty()) seen[c].add(value);
    }
  }
  std::transform(seen.begin(), seen.end(), seen.begin(), sorted_values);
  return seen;
}

}  // namespace

TableFeatures::TableFeatures(const TableOptions& options, TableSchema& schema)
    : schema_(schema),
      follows_(schema.learned),
      separator_(options.separator_character()),
      sparse_size_(options.sparse_size),
      missing_is_zero_(options.missing == Missing::kZero) {}

void TableFeatures::begin_table(const std::filesystem::path& path, const TableColumns& columns) {
  table_ = columns;
  if (follows_) {
    begin_learned_table();
  } else {
    categories_ = read_categories(path, separator_, columns.one_hot);
  }
  category_base_.clear();
  int64_t base = num_features_ + static_cast<int64_t>(columns.numbers.size());
  for (const Interner& values : categories_) {
    category_base_.push_back(base);
    base += values.size();
  }
  sparse_base_ = base;
  widest_pair_ = sparse_size_;
  if (base > kMostFeatures) fail(path.string(), ": more than ", kMostFeatures, " features");
}

void TableFeatures::begin_learned_table() {
  const TableSchema::Table& learned = schema_.tables[table_number_];
  categories_.assign(learned.one_hot.size(), Interner());
  for (size_t c = 0; c < categories_.size(); ++c) {
    for (const std::string& value : learned.one_hot[c].values) categories_[c].add(value);
  }
  sparse_size_ = std::max<int64_t>(learned.sparse_size, 0);
}

void TableFeatures::learn_table() {
  TableSchema::Table learned;
  for (const int column : table_.numbers) learned.numbers.push_back(table_.names[static_cast<size_t>(column)]);
  for (size_t c = 0; c < categories_.size(); ++c) {
    learned.one_hot.push_back({table_.names[static_cast<size_t>(table_.one_hot[c])], categories_[c].texts()});
  }
  if (table_.sparse != TableColumns::kNone) learned.sparse_size = widest_pair_;
  schema_.tables.push_back(std::move(learned));
}

void TableFeatures::end_table() {
  if (!follows_) learn_table();
  ++table_number_;
  num_features_ = sparse_base_;
  if (table_.sparse == TableColumns::kNone) return;
  num_features_ += widest_pair_;
  has_sparse_ = true;
}

void TableFeatures::add_row(const CsvReader& row) {
  const auto field = [&](int column) { return row.fields()[static_cast<size_t>(column)]; };
  for (size_t i = 0; i < table_.numbers.size(); ++i) add_number(i, field(table_.numbers[i]), row);
  for (size_t i = 0; i < table_.one_hot.size(); ++i) add_category(i, field(table_.one_hot[i]), row);
  if (table_.sparse != TableColumns::kNone) add_sparse(field(table_.sparse), row);
  cells_ += static_cast<int64_t>(table_.numbers.size() + table_.one_hot.size());
  offset_.push_back(static_cast<int64_t>(column_.size()));
}

void TableFeatures::add_empty_rows(int64_t rows) {
  offset_.insert(offset_.end(), static_cast<size_t>(rows), offset_.back());
}

void TableFeatures::add_number(size_t which, std::string_view field, const CsvReader& row) {
  const std::string& name = table_.names[static_cast<size_t>(table_.numbers[which])];
  if (field.empty()) {
    if (missing_is_zero_) return;
    fail(row.where(), ": column '", name, "' is empty, expected a number (the option missing = zero reads it as 0)");
  }
  const std::optional<double> number = parse_number(field);
  if (!number) {
    fail(row.where(), ": column '", name, "' holds '", field, "', expected a number; a column of categories can be",
         " listed in the option one-hot, a column to leave out in ignore-columns");
  }
  const auto value = static_cast<float>(*number);
  if (!std::isfinite(value)) {
    fail(row.where(), ": column '", name, "' holds '", field, "', expected a finite number of 32 bits");
  }
  if (value != 0) push(num_features_ + static_cast<int64_t>(which), value);
}

void TableFeatures::add_category(size_t which, std::string_view field, const CsvReader& row) {
  if (field.empty()) return;  // none of the values
  const int32_t value = categories_[which].find(field);
  if (value < 0 && follows_) {
    ++schema_.unseen[table_.names[static_cast<size_t>(table_.one_hot[which])]];
    return;
  }
  if (value < 0) fail(row.where(), ": the table changed while it was read");
  push(category_base_[which] + value, 1);
}

void TableFeatures::add_sparse(std::string_view field, const CsvReader& row) {
  const size_t from = column_.size();
  while (!field.empty()) {
    const size_t end = field.find(' ');
    const std::string_view pair = field.substr(0, end);
    if (!pair.empty()) add_pair(pair, row);
    field.remove_prefix(end == std::string_view::npos ? field.size() : end + 1);
  }
  sort_pairs(from, row);
}

// "index:value"; "index" alone is a 1.
void TableFeatures::add_pair(std::string_view pair, const CsvReader& row) {
  const std::string& name = table_.names[static_cast<size_t>(table_.sparse)];
  const char* end = pair.data() + pair.size();
  int64_t index = 0;
  const auto [colon, error] = std::from_chars(pair.data(), end, index);
  float value = 1;
  bool good = error == std::errc() && index >= 0;
  if (good && colon != end) {
    const std::optional<double> number = parse_number({colon + 1, static_cast<size_t>(end - colon - 1)});
    good = *colon == ':' && number;
    if (good) value = static_cast<float>(*number);
  }
  if (!good) {
    fail(row.where(), ": column '", name, "' holds '", pair, "', expected index:value pairs such as 3:0.5 12:1");
  }
  if (!std::isfinite(value)) {
    fail(row.where(), ": column '", name, "' holds '", pair, "', expected a finite number of 32 bits");
  }
  if (sparse_size_ > 0 && index >= sparse_size_) {
    fail(row.where(), ": column '", name, "' has index ", index, ", but ",
         follows_ ? "the run was trained on " : "sparse-size says ", sparse_size_, " features (the first is 0)");
  }
  if (index >= kMostFeatures - sparse_base_) {
    fail(row.where(), ": column '", name, "' has index ", index, ", too many features");
  }
  widest_pair_ = std::max(widest_pair_, index + 1);
  push(sparse_base_ + index, value);
}

void TableFeatures::sort_pairs(size_t from, const CsvReader& row) {
  const auto first = column_.begin() + static_cast<std::ptrdiff_t>(from);
  if (std::adjacent_find(first, column_.end(), std::greater_equal<>()) == column_.end()) return;
  std::vector<std::pair<int32_t, float>> pairs;
  for (size_t at = from; at < column_.size(); ++at) pairs.emplace_back(column_[at], value_[at]);
  std::sort(pairs.begin(), pairs.end());
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i > 0 && pairs[i].first == pairs[i - 1].first) {
      fail(row.where(), ": column '", table_.names[static_cast<size_t>(table_.sparse)], "' has index ",
           pairs[i].first - sparse_base_, " twice");
    }
    column_[from + i] = pairs[i].first;
    value_[from + i] = pairs[i].second;
  }
}

Features TableFeatures::finish(std::span<const NodeId> order) {
  const auto rows = static_cast<int64_t>(offset_.size()) - 1;
  SparseMatrix matrix{rows, num_features_, std::move(offset_), std::move(column_), std::move(value_)};
  if (!order.empty()) matrix = matrix.select_rows(order);
  if (!follows_) schema_.sparse = has_sparse_ || rows * num_features_ / 4 > cells_;
  if (!schema_.sparse) return matrix.to_dense();
  return matrix;
}

}  // namespace geniepath
