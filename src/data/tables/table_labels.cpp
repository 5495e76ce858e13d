#include "data/tables/table_labels.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/noun.h"
#include "data/tables/table_profile.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr const char* kListSeparators = ";|";
constexpr int32_t kMostClasses = 10000;         // more distinct labels than this are ids or amounts, not classes
constexpr size_t kFewClasses = 100;             // however few rows have them
constexpr int64_t kMostCells = int64_t{1} << 30;  // of the label matrix [N, L]: 4 GiB

// By value if all are numbers, else by bytes.
void sort_classes(std::vector<std::string>& classes) {
  const bool numbers = std::all_of(classes.begin(), classes.end(), [](const std::string& text) {
    const auto number = parse_number(text);
    return number && std::isfinite(*number);
  });
  std::sort(classes.begin(), classes.end(), [&](const std::string& a, const std::string& b) {
    if (!numbers) return a < b;
    return std::pair(*parse_number(a), a) < std::pair(*parse_number(b), b);
  });
}

// 0 or 1; -1 for anything else.
int truth(std::string_view text) {
  for (const std::string_view yes : {"1", "true", "True", "TRUE"}) {
    if (text == yes) return 1;
  }
  for (const std::string_view no : {"0", "false", "False", "FALSE"}) {
    if (text == no) return 0;
  }
  const auto number = parse_number(text);
  return !number ? -1 : *number == 1 ? 1 : *number == 0 ? 0 : -1;
}

// Two classes whose order says nothing: neither numbers nor truth values.
bool is_chosen_by_name(const std::vector<std::string>& classes) {
  return classes.size() == 2 && truth(classes[1]) != 1 && !(parse_number(classes[0]) && parse_number(classes[1]));
}

void check_matrix(int64_t rows, int64_t labels) {
  if (labels > 0 && rows > kMostCells / labels) {
    fail("tables: ", rows, " nodes with ", labels, " labels make a matrix of more than ", kMostCells, " entries");
  }
}

// One text per number: "1" for "+1", "1.0" and "1e+00".
std::string_view class_text(std::string_view text, NumberText& digits) {
  if (text.starts_with('+') && parse_number(text)) text.remove_prefix(1);
  return whole_number_text(text, digits);
}

std::string class_text(const std::string& text) {
  NumberText digits;
  return std::string(class_text(text, digits));
}

// The labels of a cell that lists several, each in its one text.
std::vector<std::string> listed_labels(std::string_view text) {
  std::vector<std::string> labels = split_list(text, kListSeparators);
  for (std::string& label : labels) label = class_text(label);
  return labels;
}

int64_t row_at(std::span<const NodeId> order, size_t i) { return order.empty() ? static_cast<int64_t>(i) : order[i]; }

}  // namespace

TableLabels::TableLabels(const TableOptions& options, TableSchema& schema)
    : schema_(schema),
      follows_(schema.learned),
      columns_(split_list(options.label_column)),
      task_(options.task == TableTask::kUnsupervised ? TableTask::kAuto : options.task),
      positive_(class_text(options.positive)) {
  if (follows_ && columns_.size() > 1 && columns_ != schema.classes) {
    fail("option label-column: ", listed(columns_), ", but the run was trained on ", listed(schema.classes));
  }
  if (columns_.size() > 1 && task_ != TableTask::kAuto && task_ != TableTask::kMultiLabel) {
    fail("option task: ", to_string(task_), " takes one label column, found ", columns_.size(), " in label-column");
  }
}

bool TableLabels::add_row(const CsvReader& row, const TableColumns& columns) {
  if (columns_.size() > 1) return add_columns(row, columns);
  NumberText digits;
  std::string_view text = columns.labels.empty()
                              ? std::string_view()
                              : class_text(row.fields()[static_cast<size_t>(columns.labels[0])], digits);
  if (is_mark(text)) {
    ++marked_, mark_ = text;
    text = {};
  }
  if (follows_ && !text.empty() && texts_.find(text) < 0) check_known(text, row);
  text_of_.push_back(text.empty() ? -1 : texts_.add(text));
  if (texts_.size() > kMostClasses) {
    fail(row.where(), ": column '", columns_[0], "' holds more than ", kMostClasses,
         " different labels: is it the label column?");
  }
  return !text.empty();
}

// Whether the text marks an unknown label (NA and the like), unless the run was trained on a class of that name. "None"
// may be a class.
bool TableLabels::is_mark(std::string_view text) const {
  if (text.empty() || text == "None" || !is_missing(text)) return false;
  return !follows_ || class_of(text, schema_.classes) < 0;
}

// Number of a class, -1 for none; another spelling of the same number or truth value (1.0 or true for 1) counts as the
// class.
int64_t TableLabels::class_of(std::string_view text, const std::vector<std::string>& classes) const {
  const auto found =
      std::ranges::find_if(classes, [&](const std::string& c) { return c == text || class_text(c) == text; });
  if (found != classes.end()) return found - classes.begin();
  const bool truths = classes.size() == 2 && truth(classes[0]) == 0 && truth(classes[1]) == 1;
  return truths ? truth(text) : -1;
}

void TableLabels::check_known(std::string_view text, const CsvReader& row) const {
  const bool lists = schema_.task == Task::kMultiLabel;
  for (const std::string& name : lists ? listed_labels(text) : std::vector{std::string(text)}) {
    if (class_of(name, schema_.classes) >= 0) continue;
    fail(row.where(), ": the class '", name, "' is not one the run was trained on: ", listed(schema_.classes));
  }
}

bool TableLabels::add_columns(const CsvReader& row, const TableColumns& columns) {
  size_t empty = 0;
  std::string_view empty_name;
  for (size_t c = 0; c < columns_.size(); ++c) {
    const std::string_view text =
        columns.labels.empty() ? std::string_view() : row.fields()[static_cast<size_t>(columns.labels[c])];
    const int value = text.empty() ? 0 : truth(text);
    if (value < 0) fail(row.where(), ": label column '", columns_[c], "' holds '", text, "', expected 0 or 1");
    if (text.empty()) ++empty, empty_name = columns_[c];
    bits_.push_back(static_cast<uint8_t>(value));
  }
  if (empty > 0 && empty < columns_.size()) {
    fail(row.where(), ": label column '", empty_name, "' is empty but others are not; leave all empty or none");
  }
  text_of_.push_back(empty > 0 ? -1 : 0);
  return empty == 0;
}

void TableLabels::add_unlabelled_rows(int64_t rows) {
  text_of_.insert(text_of_.end(), static_cast<size_t>(rows), -1);
  if (columns_.size() > 1) bits_.resize(text_of_.size() * columns_.size());
}

std::span<const int32_t> TableLabels::numbers_of_rows(size_t first) const {
  return columns_.size() > 1 ? std::span<const int32_t>() : std::span(text_of_).subspan(first);
}

bool TableLabels::is_multi_label() const {
  if (follows_) return schema_.task == Task::kMultiLabel;
  if (task_ == TableTask::kMultiLabel || columns_.size() > 1) return true;
  if (task_ != TableTask::kAuto) return false;
  for (int32_t t = 0; t < texts_.size(); ++t) {
    if (texts_[t].find_first_of(kListSeparators) != std::string_view::npos) return true;
  }
  return false;
}

void TableLabels::finish(std::span<const NodeId> order, Dataset& data) {
  if (is_multi_label()) {
    data.task = Task::kMultiLabel;
    data.metric = "micro_f1";
    if (columns_.size() > 1) {
      finish_columns(order, data);
    } else {
      finish_lists(order, data);
    }
    data.num_classes = static_cast<int64_t>(data.class_names.size());
  } else {
    finish_classes(order, data);
  }
  if (marked_ > 0) {
    schema_.report.notes.push_back("column '" + columns_[0] + "': " + counted(marked_, "cell") + " such as '" + mark_ +
                                   "' read as unlabelled");
  }
  if (!follows_ && data.task == Task::kBinary && positive_.empty() && is_chosen_by_name(data.class_names)) {
    schema_.report.notes.push_back("the class to find is '" + data.class_names[1] +
                                   "', the second by name (--positive '" + data.class_names[0] + "' for the other)");
  }
  schema_.task = data.task;
  schema_.classes = data.class_names;
}

// The negative class first. A lone class is completed from its name or from the option positive.
std::vector<std::string> TableLabels::two_classes(std::vector<std::string> classes) const {
  if (classes.size() == 1 && positive_.empty() && truth(classes[0]) >= 0) {
    const bool number = parse_number(classes[0]).has_value();
    return number ? std::vector<std::string>{"0", "1"} : std::vector<std::string>{"false", "true"};
  }
  if (classes.size() != 2) {
    fail("tables: a binary task needs two classes, found ", classes.size(), ": ", listed(classes));
  }
  if (positive_.empty()) return classes;
  if (positive_ != classes[0] && positive_ != classes[1]) {
    fail("option positive: '", positive_, "' is not one of the classes ", listed(classes));
  }
  if (positive_ == classes[0]) std::swap(classes[0], classes[1]);
  return classes;
}

void TableLabels::check_repeated(size_t classes) const {
  const auto labelled = static_cast<size_t>(std::ranges::count_if(text_of_, [](int32_t text) { return text >= 0; }));
  if (classes <= kFewClasses || 2 * classes <= labelled) return;
  fail("tables: column '", columns_[0], "' holds ", classes, " different labels in ", labelled,
       " rows, expected classes that repeat: is it the label column (--label-column)?");
}

void TableLabels::finish_classes(std::span<const NodeId> order, Dataset& data) const {
  std::vector<std::string> classes = follows_ ? schema_.classes : texts_.texts();
  if (!follows_) sort_classes(classes);
  const bool binary = follows_ ? schema_.task == Task::kBinary
                               : task_ == TableTask::kBinary || (task_ == TableTask::kAuto && classes.size() == 2);
  if (!follows_) check_repeated(classes.size());
  if (!follows_ && binary && !classes.empty()) classes = two_classes(std::move(classes));
  data.task = binary ? Task::kBinary : Task::kMultiClass;
  data.metric = binary ? "f1" : "accuracy";
  std::vector<int64_t> number;
  for (int32_t t = 0; t < texts_.size(); ++t) number.push_back(class_of(texts_[t], classes));
  data.labels = at::empty({static_cast<int64_t>(text_of_.size())}, at::kLong);
  auto* out = data.labels.data_ptr<int64_t>();
  for (size_t i = 0; i < text_of_.size(); ++i) {
    const int32_t text = text_of_[static_cast<size_t>(row_at(order, i))];
    out[i] = text < 0 ? -1 : number[static_cast<size_t>(text)];
  }
  data.num_classes = binary ? 2 : static_cast<int64_t>(classes.size());
  data.class_names = std::move(classes);
}

void TableLabels::finish_columns(std::span<const NodeId> order, Dataset& data) const {
  const auto rows = static_cast<int64_t>(text_of_.size());
  const auto width = static_cast<int64_t>(columns_.size());
  check_matrix(rows, width);
  data.class_names = columns_;
  data.labels = at::empty({rows, width}, at::kFloat);
  auto* out = data.labels.data_ptr<float>();
  for (size_t i = 0; i < text_of_.size(); ++i) {
    const int64_t row = row_at(order, i);
    const bool labelled = text_of_[static_cast<size_t>(row)] >= 0;
    for (int64_t c = 0; c < width; ++c) {
      *out++ = labelled ? bits_[static_cast<size_t>(row * width + c)] : std::numeric_limits<float>::quiet_NaN();
    }
  }
}

// Of every list; its labels are known to be among the classes, if perhaps in another spelling.
std::vector<std::vector<int64_t>> TableLabels::class_numbers(const std::vector<std::vector<std::string>>& lists,
                                                             const std::vector<std::string>& classes) const {
  Interner same_text;
  for (const std::string& name : classes) same_text.add(name);
  std::vector<std::vector<int64_t>> numbers;
  for (const std::vector<std::string>& labels : lists) {
    numbers.emplace_back();
    for (const std::string& label : labels) {
      const int64_t number = same_text.find(label);
      numbers.back().push_back(number >= 0 ? number : class_of(label, classes));
      if (numbers.back().back() < 0) fail("tables: the class '", label, "' is not one of ", listed(classes));
    }
  }
  return numbers;
}

void TableLabels::finish_lists(std::span<const NodeId> order, Dataset& data) const {
  std::vector<std::vector<std::string>> lists;
  std::set<std::string> seen;
  for (int32_t t = 0; t < texts_.size(); ++t) {
    lists.push_back(listed_labels(texts_[t]));
    seen.insert(lists.back().begin(), lists.back().end());
  }
  data.class_names = follows_ ? schema_.classes : std::vector<std::string>(seen.begin(), seen.end());
  if (!follows_) sort_classes(data.class_names);
  const auto rows = static_cast<int64_t>(text_of_.size());
  const auto width = static_cast<int64_t>(data.class_names.size());
  check_matrix(rows, width);
  const std::vector<std::vector<int64_t>> numbers = class_numbers(lists, data.class_names);
  data.labels = at::zeros({rows, width}, at::kFloat);
  auto* out = data.labels.data_ptr<float>();
  for (size_t i = 0; i < text_of_.size(); ++i, out += width) {
    const int32_t text = text_of_[static_cast<size_t>(row_at(order, i))];
    if (text < 0) {
      std::fill(out, out + width, std::numeric_limits<float>::quiet_NaN());
      continue;
    }
    for (const int64_t number : numbers[static_cast<size_t>(text)]) out[number] = 1;
  }
}

}  // namespace geniepath
