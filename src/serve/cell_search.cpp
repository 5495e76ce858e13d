#include "serve/cell_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "io/csv.h"
#include "io/iso_date.h"

namespace geniepath::serve {
namespace {

using Match = std::function<bool(NodeId)>;

std::string folded(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool contains(const std::string& text, const std::string& folded_part) { return folded(text).find(folded_part) != std::string::npos; }

std::optional<float> number_of(const std::string& text, bool date) {
  const auto found = date ? parse_iso_date(text) : parse_number(text);
  return found ? std::optional(static_cast<float>(*found)) : std::nullopt;
}

// What a feature that is not 0 must be for the node to match.
enum class Wanted : uint8_t { kNothing, kAnything, kNumber };

// Any cell: looks only at features that are not 0.
class AnyCell {
 public:
  AnyCell(const std::string& text, const report::Columns& columns)
      : features_(columns.cells.features()), number_(number_of(text, false)), wanted_(static_cast<size_t>(features_.num_features())) {
    const std::string part = folded(text);
    for (const FeatureColumn& column : columns.cells.columns()) {
      const auto first = static_cast<size_t>(column.first);
      if (column.kind == ColumnKind::kNumber && number_) wanted_[first] = Wanted::kNumber;
      for (size_t c = 0; c < column.categories.size(); ++c) {
        if (contains(column.categories[c], part)) wanted_[first + c] = Wanted::kAnything;
      }
    }
    none_ = std::ranges::all_of(wanted_, [](Wanted one) { return one == Wanted::kNothing; });
  }

  bool operator()(NodeId node) const {
    if (none_) return false;
    if (features_.is_sparse()) {
      const SparseMatrix& x = features_.sparse();
      for (int64_t at = x.offset[node]; at < x.offset[node + 1]; ++at) {
        if (fits(x.column[at], x.value[at])) return true;
      }
      return false;
    }
    const float* row = features_.dense().data_ptr<float>() + node * features_.num_features();
    for (int64_t f = 0; f < features_.num_features(); ++f) {
      if (fits(f, row[f])) return true;
    }
    return false;
  }

 private:
  bool fits(int64_t feature, float value) const {
    const Wanted wanted = wanted_[static_cast<size_t>(feature)];
    return value != 0 && (wanted == Wanted::kAnything || (wanted == Wanted::kNumber && value == *number_));
  }

  const Features& features_;
  std::optional<float> number_;
  std::vector<Wanted> wanted_;  // per feature
  bool none_ = false;
};

Match in_column(const FeatureColumn& column, char sign, const std::string& text, const report::Columns& columns) {
  const auto number = number_of(text, column.kind == ColumnKind::kDate);
  if (column.kind == ColumnKind::kCategory || (sign == ':' && !number)) {
    return [&, part = folded(text), sign](NodeId node) {
      return sign == ':' && columns.cells.has(node, column) && contains(columns.cells.text(node, column), part);
    };
  }
  return [&, number, sign](NodeId node) {
    const auto cell = columns.cells.number(node, column);
    if (!cell || !number) return false;
    return sign == ':' ? *cell == *number : sign == '<' ? *cell < *number : *cell > *number;
  };
}

Match in_facts(const std::string& name, const std::string& text, const report::NodeFacts& facts) {
  const std::string part = folded(text);
  if (name == "id") return [&facts, text](NodeId node) { return facts.id(node).find(text) != std::string::npos; };
  if (name == "type") {
    return [&facts, part](NodeId node) { return facts.type(node) != nullptr && contains(facts.type(node), part); };
  }
  if (name != "label") return {};
  return [&facts, part](NodeId node) {
    const auto labels = facts.labels(node);
    return labels && std::ranges::any_of(*labels, [&](const std::string& label) { return contains(label, part); });
  };
}

// "column:text"; none if the text names no column.
Match in_named_column(const std::string& text, const report::NodeFacts& facts, const report::Columns& columns) {
  for (size_t at = text.find_first_of(":<>"); at != std::string::npos; at = text.find_first_of(":<>", at + 1)) {
    const std::string name = folded(text.substr(0, at)), rest = text.substr(at + 1);
    if (text[at] == ':') {
      if (Match match = in_facts(name, rest, facts)) return match;
    }
    std::vector<Match> matches;  // several tables may have a column of this name
    for (const FeatureColumn& column : columns.cells.columns()) {
      if (folded(column.name) == name) matches.push_back(in_column(column, text[at], rest, columns));
    }
    if (matches.empty()) continue;
    return [matches](NodeId node) { return std::ranges::any_of(matches, [node](const Match& match) { return match(node); }); };
  }
  return {};
}

}  // namespace

std::function<bool(NodeId)> cell_search(const std::string& text, const report::NodeFacts& facts, const report::Columns& columns) {
  if (text.empty()) return [](NodeId) { return true; };
  if (Match match = in_named_column(text, facts, columns)) return match;
  return [any = AnyCell(text, columns), text, &facts](NodeId node) {
    return facts.id(node).find(text) != std::string::npos || any(node);
  };
}

}  // namespace geniepath::serve
