#include "data/tables/table_suspects.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace geniepath {
namespace {

constexpr size_t kMostLabels = 32;      // most labels that a column is compared with
constexpr int64_t kFewestLabelled = 10;  // among fewer nodes, a column may equal the label by chance
constexpr int64_t kFewestIds = 20;
constexpr float kExact = 16777216;  // 2^24: below, a float holds every whole number
constexpr double kByChance = 1e-6;  // below this probability, a column that differs in one class alone is suspicious
constexpr int64_t kWidestIds = 4;  // ids span at most this many numbers per row

// Tells whether a column has one value in all labelled rows except those of one class, like a column that is filled in
// once a case is known to be fraud.
class OneClassAlone {
 public:
  struct Found {
    int32_t label;
    float usual;  // value in the rows of the other classes
    double share;  // of the labelled rows, of this class
  };

  // False once two classes have several values.
  bool add(float value, int32_t label) {
    const auto at = static_cast<size_t>(label);
    if (at >= kMostLabels) return open_ = false;
    if (at >= classes_.size()) classes_.resize(at + 1);
    Class& of = classes_[at];
    if (of.rows++ == 0) of.first = value;
    if (value != of.first && !of.varies) of.varies = true, ++varying_;
    ++rows_;
    return open_ = open_ && varying_ <= 1;
  }

  std::optional<Found> find() const {
    for (size_t c = 0; open_ && c < classes_.size(); ++c) {
      const auto usual = value_without(c);
      if (usual)
        return Found{static_cast<int32_t>(c), *usual,
                     static_cast<double>(classes_[c].rows) / static_cast<double>(rows_)};
    }
    return std::nullopt;
  }

 private:
  struct Class {
    int64_t rows = 0;
    float first = 0;
    bool varies = false;
  };

  // The one value of all classes but `excluded`, unless that has no other.
  std::optional<float> value_without(size_t excluded) const {
    std::optional<float> usual;
    for (size_t c = 0; c < classes_.size(); ++c) {
      if (c == excluded || classes_[c].rows == 0) continue;
      if (classes_[c].varies || (usual && *usual != classes_[c].first)) return std::nullopt;
      usual = classes_[c].first;
    }
    const Class& alone = classes_[excluded];
    return usual && (alone.varies || (alone.rows > 0 && alone.first != *usual)) ? usual : std::nullopt;
  }

  std::vector<Class> classes_;
  int64_t rows_ = 0, varying_ = 0;
  bool open_ = true;
};

// The values of one column, seen row by row. A category is its number, an empty cell of categories is -1.
class Statistics {
 public:
  // False once nothing suspicious can be found any more.
  bool add(float value, int32_t label) {
    if (rows_ == 0) first_ = lowest_ = highest_ = value;
    constant_ = constant_ && value == first_;
    whole_ = whole_ && std::abs(value) < kExact && value == std::trunc(value);
    increasing_ = increasing_ && (rows_ == 0 || value > last_);
    lowest_ = std::min(lowest_, value);
    highest_ = std::max(highest_, value);
    last_ = value;
    ++rows_;
    if (label >= 0 && copies_) compare(value, label);
    if (label >= 0 && may_be_of_one_class_) may_be_of_one_class_ = of_one_class_.add(value, label);
    return constant_ || whole_ || copies_ || may_be_of_one_class_;
  }

  bool is_constant() const { return rows_ > 1 && constant_; }
  bool copies_label() const { return copies_ && labelled_ >= kFewestLabelled && pairs_.size() > 1; }
  bool counts_up() const { return rows_ >= kFewestIds && whole_ && increasing_; }
  // Whether the values may be ids in another order; a second look decides.
  bool may_be_ids() const {
    return rows_ >= kFewestIds && whole_ && !increasing_ && range() >= rows_ && range() <= kWidestIds * rows_;
  }
  std::optional<OneClassAlone::Found> of_one_class() const { return of_one_class_.find(); }
  float lowest() const { return lowest_; }
  int64_t range() const { return static_cast<int64_t>(highest_) - static_cast<int64_t>(lowest_) + 1; }

 private:
  // Each value goes with one label, and each label with one value.
  void compare(float value, int32_t label) {
    ++labelled_;
    for (const auto& [known_value, known_label] : pairs_) {
      if ((known_value == value) != (known_label == label)) copies_ = false;
      if (known_value == value) return;
    }
    pairs_.emplace_back(value, label);
    copies_ = copies_ && pairs_.size() <= kMostLabels;
  }

  int64_t rows_ = 0, labelled_ = 0;
  float first_ = 0, last_ = 0, lowest_ = 0, highest_ = 0;
  bool constant_ = true, whole_ = true, increasing_ = true, copies_ = true;
  bool may_be_of_one_class_ = true;
  OneClassAlone of_one_class_;
  std::vector<std::pair<float, int32_t>> pairs_;
};

// Calls f(row, values), with one value per source, until it returns false.
template <class F>
void for_each_row(const TableBlock& block, F f) {
  std::vector<float> empty, values;
  std::vector<size_t> source_of;  // by feature, from the block's first on
  for (size_t s = 0; s < block.sources.size(); ++s) {
    empty.push_back(block.sources[s].is_number ? 0 : -1);
    source_of.insert(source_of.end(), static_cast<size_t>(block.sources[s].size), s);
  }
  const int64_t begin = block.sources.front().first;
  for (size_t row = 0; row + 1 < block.offset.size(); ++row) {
    values = empty;
    for (auto at = static_cast<size_t>(block.offset[row]); at < static_cast<size_t>(block.offset[row + 1]); ++at) {
      const auto feature = static_cast<size_t>(block.column[at] - begin);
      if (feature >= source_of.size()) break;
      const TableBlock::Source& source = block.sources[source_of[feature]];
      values[source_of[feature]] =
          source.is_number ? block.value[at] : static_cast<float>(block.column[at] - source.first);
    }
    if (!f(row, values)) return;
  }
}

bool all_differ(const TableBlock& block, size_t source, const Statistics& statistics) {
  std::vector<bool> seen(static_cast<size_t>(statistics.range()));
  bool differ = true;
  for_each_row(block, [&](size_t, const std::vector<float>& values) {
    const auto at =
        static_cast<size_t>(static_cast<int64_t>(values[source]) - static_cast<int64_t>(statistics.lowest()));
    differ = !seen[at];
    seen[at] = true;
    return differ;
  });
  return differ;
}

// Whether the rows in which the column differs from its usual value, all of one class, are too many for chance.
bool is_of_one_class(const TableBlock& block, size_t source, std::span<const int32_t> label,
                     const OneClassAlone::Found& found) {
  double log_chance = 0;
  for_each_row(block, [&](size_t row, const std::vector<float>& values) {
    if (label[row] == found.label && values[source] != found.usual) log_chance += std::log(found.share);
    return log_chance >= std::log(kByChance);
  });
  return log_chance < std::log(kByChance);
}

}  // namespace

std::vector<std::string> suspicious_columns(const TableBlock& block, std::span<const int32_t> label) {
  std::vector<std::string> notes;
  if (block.sources.empty()) return notes;
  std::vector<Statistics> all(block.sources.size());
  for_each_row(block, [&](size_t row, const std::vector<float>& values) {
    bool open = false;
    for (size_t s = 0; s < all.size(); ++s) open = all[s].add(values[s], label.empty() ? -1 : label[row]) || open;
    return open;
  });
  for (size_t s = 0; s < all.size(); ++s) {
    const TableBlock::Source& source = block.sources[s];
    const std::string column = "column '" + source.name + "' ";
    const std::string left_out = "--ignore-columns " + source.name + " leaves it out";
    const auto alone = all[s].of_one_class();
    if (all[s].is_constant()) {
      notes.push_back(column + "holds the same value in every row and tells nothing");
    } else if (all[s].copies_label()) {
      notes.push_back(column +
                      "copies the label: each of its values goes with one class; if it is unknown where you predict, " +
                      left_out);
    } else if (alone && is_of_one_class(block, s, label, *alone)) {
      notes.push_back(column +
                      "has one value in all rows but those of one class; if it is filled in only once the class is "
                      "known, " +
                      left_out);
    } else if (source.is_number && (all[s].counts_up() || (all[s].may_be_ids() && all_differ(block, s, all[s])))) {
      notes.push_back(column + "looks like ids, with another whole number in every row; " + left_out);
    }
  }
  return notes;
}

}  // namespace geniepath
