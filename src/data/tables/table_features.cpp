#include "data/tables/table_features.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/noun.h"
#include "data/tables/plain_form.h"
#include "geniepath/error.h"
#include "io/csv.h"
#include "io/iso_date.h"

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

// Note on a column taken as text whose cells are mostly numbers or dates in another form; "" for any other column.
std::string formatted_note(const ColumnProfile& profile) {
  if (!profile.is_mostly_formatted()) return "";
  const auto plain = plain_form(profile.first_formatted);
  return "; '" + profile.first_formatted + "' would be read as a " + (plain->date ? "date" : "number") +
         " if written " + plain->text;
}

}  // namespace

TableFeatures::TableFeatures(const TableOptions& options, TableSchema& schema, bool look_first)
    : schema_(schema),
      follows_(schema.learned),
      looks_first_(look_first || options.missing == Missing::kMean),
      separator_(options.separator_character()),
      sparse_size_(options.sparse_size),
      missing_(options.missing),
      most_categories_(static_cast<int32_t>(options.most_categories)) {}

void TableFeatures::begin_table(const std::filesystem::path& path, const TableColumns& columns) {
  table_ = columns;
  first_row_ = offset_.size() - 1;
  numbers_.clear(), left_out_.clear(), marked_.clear(), categories_.clear();
  if (follows_) {
    begin_learned_table();
  } else {
    find_kinds(path);
  }
  lay_out(path);
}

void TableFeatures::begin_learned_table() {
  const TableSchema::Table& learned = schema_.tables[table_number_];
  if (missing_ == Missing::kMean && learned.means.size() != learned.numbers.size()) {
    fail("option missing: mean, but the run was trained without means; expected error or zero");
  }
  for (size_t n = 0; n < learned.numbers.size(); ++n) {
    const auto lists = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), learned.numbers[n]) != names.end();
    };
    numbers_.push_back({table_.numbers[n], lists(learned.dates), learned.means.empty() ? 0 : learned.means[n]});
    if (lists(learned.marked)) marked_.push_back(n);
  }
  for (const TableSchema::Categories& column : learned.one_hot) {
    categories_.emplace_back();
    for (const std::string& value : column.values) categories_.back().add(value);
  }
  sparse_size_ = std::max<int64_t>(learned.sparse_size, 0);
}

// Decides what the columns hold. Without a look at them, all hold numbers but those listed as categories.
void TableFeatures::find_kinds(const std::filesystem::path& path) {
  std::vector<ColumnProfile> profiles;
  for (const int column : table_.one_hot) profiles.push_back({column, std::numeric_limits<int32_t>::max() - 1});
  const size_t listed = profiles.size();
  for (const int column : table_.numbers) {
    if (looks_first_) {
      profiles.push_back({column, most_categories_});
    } else {
      numbers_.push_back({column});
    }
  }
  if (!profiles.empty()) read_profiles(path, separator_, table_.has_header, profiles);
  for (size_t p = listed; p < profiles.size(); ++p) take_kind(profiles[p], path);
  std::sort(table_.one_hot.begin(), table_.one_hot.end());
  for (const int column : table_.one_hot) {
    const auto profile = std::ranges::find(profiles, column, &ColumnProfile::column);
    categories_.push_back(sorted_values(profile->values));
  }
}

void TableFeatures::take_kind(const ColumnProfile& profile, const std::filesystem::path& path) {
  const std::string column = "column '" + name_of(profile.column) + "'";
  const auto note = [&](const std::string& text) {
    schema_.report.notes.push_back(path.filename().string() + ": " + column + text);
  };
  if (profile.holds_numbers() || profile.holds_dates()) {
    if (profile.holds_dates()) note(" holds dates, read as days since 1970-01-01");
    if (missing_ == Missing::kMean && profile.missing > 0) {
      marked_.push_back(numbers_.size());
      note(": " + counted(profile.missing, "empty cell is", "empty cells are") +
           " read as the mean over the training nodes, and marked by one more feature");
    }
    numbers_.push_back({profile.column, profile.holds_dates(), profile.mean()});
  } else if (profile.has_few_values()) {
    table_.one_hot.push_back(profile.column);
    note(" holds text, with one feature for each of its " + counted(profile.values.size(), "value") +
         formatted_note(profile));
  } else if (profile.numbers > profile.texts + profile.dates) {
    fail(profile.first_text, " in ", column,
         ", where most cells are numbers, expected a number; a column of categories can be",
         " listed in the option one-hot, a column to leave out in ignore-columns");
  } else {
    left_out_.push_back(name_of(profile.column));
    note(" holds text with more than " + counted(most_categories_, "different value") +
         " and is left out (--one-hot or --most-categories keeps it)" + formatted_note(profile));
  }
}

void TableFeatures::lay_out(const std::filesystem::path& path) {
  category_base_.clear();
  int64_t base = num_features_ + static_cast<int64_t>(numbers_.size());
  for (const Interner& values : categories_) {
    category_base_.push_back(base);
    base += values.size();
  }
  for (const size_t number : marked_) numbers_[number].mark = base++;
  sparse_base_ = base;
  widest_pair_ = sparse_size_;
  if (base > kMostFeatures) fail(path.string(), ": more than ", kMostFeatures, " features");
}

void TableFeatures::learn_table() {
  TableSchema::Table learned;
  for (const Number& number : numbers_) {
    learned.numbers.push_back(name_of(number.column));
    if (number.is_date) learned.dates.push_back(learned.numbers.back());
    if (number.mark >= 0) learned.marked.push_back(learned.numbers.back());
    if (missing_ == Missing::kMean) learned.means.push_back(number.mean);
  }
  for (size_t c = 0; c < categories_.size(); ++c) {
    learned.one_hot.push_back({name_of(table_.one_hot[c]), categories_[c].texts()});
  }
  learned.left_out = left_out_;
  if (table_.sparse != TableColumns::kNone) learned.sparse_size = widest_pair_;
  schema_.tables.push_back(std::move(learned));
}

std::vector<std::string> TableFeatures::suspects(std::span<const int32_t> label) const {
  TableBlock block;
  for (size_t n = 0; n < numbers_.size(); ++n) {
    block.sources.push_back({name_of(numbers_[n].column), num_features_ + static_cast<int64_t>(n), 1, true});
  }
  for (size_t c = 0; c < categories_.size(); ++c) {
    block.sources.push_back({name_of(table_.one_hot[c]), category_base_[c], categories_[c].size(), false});
  }
  block.offset = std::span(offset_).subspan(first_row_);
  block.column = column_;
  block.value = value_;
  return suspicious_columns(block, label);
}

void TableFeatures::end_table() {
  if (!follows_) learn_table();
  ++table_number_;
  num_features_ = sparse_base_;
  if (table_.sparse == TableColumns::kNone) return;
  num_features_ += widest_pair_;
  has_sparse_ = true;
}

bool TableFeatures::add_row(const TableRow& row) {
  const auto field = [&](int column) { return row.fields()[static_cast<size_t>(column)]; };
  for (size_t i = 0; i < numbers_.size(); ++i) {
    if (!add_number(i, field(numbers_[i].column), row)) return false;
  }
  for (size_t i = 0; i < table_.one_hot.size(); ++i) add_category(i, field(table_.one_hot[i]), row);
  for (const int64_t mark : marks_) push(mark, 1);
  marks_.clear();
  if (table_.sparse != TableColumns::kNone) add_sparse(field(table_.sparse), row);
  cells_ += static_cast<int64_t>(numbers_.size() + table_.one_hot.size());
  offset_.push_back(static_cast<int64_t>(column_.size()));
  return true;
}

void TableFeatures::add_empty_rows(int64_t rows) {
  offset_.insert(offset_.end(), static_cast<size_t>(rows), offset_.back());
}

bool TableFeatures::add_number(size_t which, std::string_view field, const TableRow& row) {
  const Number& number = numbers_[which];
  std::optional<double> found = number.is_date ? parse_iso_date(field) : parse_number(field);
  bool is_value = true;  // stored even if it is 0, like that of a marked cell, whose mean may change (table_means.h)
  if (!found || std::isnan(*found)) {
    const bool may_hold_text = !follows_ && !looks_first_;
    if (may_hold_text && (missing_ == Missing::kError || !is_missing(field))) return false;
    if (is_missing(field)) {
      found = missing_value(number, field, row);
      is_value = number.mark >= 0;
    } else {
      fail(row.where(), ": column '", name_of(number.column), "' holds '", field, "', expected a ",
           number.is_date ? "date such as 2024-05-01" : "number", follows_ ? ", as when the run was trained" : "");
    }
  }
  const auto value = static_cast<float>(*found);
  if (!std::isfinite(value)) {
    fail(row.where(), ": column '", name_of(number.column), "' holds '", field,
         "', expected a finite number of 32 bits");
  }
  if (value != 0 || is_value) push(num_features_ + static_cast<int64_t>(which), value);
  return true;
}

double TableFeatures::missing_value(const Number& number, std::string_view field, const TableRow& row) {
  if (missing_ == Missing::kError) {
    fail(row.where(), ": column '", name_of(number.column), field.empty() ? "' is empty" : "' holds '", field,
         field.empty() ? "" : "'",
         ", expected a number (the option missing = zero reads it as 0, missing = mean as the mean)");
  }
  if (number.mark >= 0) marks_.push_back(number.mark);
  return missing_ == Missing::kMean ? number.mean : 0;
}

void TableFeatures::add_category(size_t which, std::string_view field, const TableRow& row) {
  if (field.empty()) return;  // none of the values
  const int32_t value = categories_[which].find(field);
  if (value < 0 && follows_) {
    ++schema_.unseen[name_of(table_.one_hot[which])];
    return;
  }
  if (value < 0) fail(row.where(), ": the table changed while it was read");
  push(category_base_[which] + value, 1);
}

void TableFeatures::add_sparse(std::string_view field, const TableRow& row) {
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
void TableFeatures::add_pair(std::string_view pair, const TableRow& row) {
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

void TableFeatures::sort_pairs(size_t from, const TableRow& row) {
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
