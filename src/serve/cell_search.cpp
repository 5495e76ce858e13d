#include "serve/cell_search.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/suggestion.h"
#include "geniepath/names.h"
#include "io/csv.h"
#include "io/iso_date.h"
#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

using Match = std::function<bool(NodeId)>;

std::string folded(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

std::string bare(std::string_view text) { return std::string(without_blanks(text)); }

bool contains(const std::string& text, const std::string& folded_part) {
  return folded(text).find(folded_part) != std::string::npos;
}

std::optional<float> number_of(const std::string& text, bool date) {
  const auto found = date ? parse_iso_date(text) : parse_number(text);
  return found ? std::optional(static_cast<float>(*found)) : std::nullopt;
}

// The condition on a feature that is not 0 for the node to match.
enum class Wanted : uint8_t { kNothing, kAnything, kNumber };

// Any cell: looks only at features that are not 0.
class AnyCell {
 public:
  AnyCell(const std::string& text, const report::Columns& columns)
      : features_(columns.cells.features()), number_(number_of(text, false)),
        wanted_(static_cast<size_t>(features_.num_features())) {
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

// Whether the text may be part of a cell in this column of numbers or dates: empty, or part of a date.
bool is_part(const FeatureColumn& column, const std::string& text) {
  return text.empty() ||
         (column.kind == ColumnKind::kDate && text.find_first_not_of("0123456789-") == std::string::npos);
}

// None if cells of the column cannot be compared with the text.
Match in_column(const FeatureColumn& column, char sign, const std::string& text, const report::Columns& columns) {
  const auto number = number_of(text, column.kind == ColumnKind::kDate);
  const bool category = column.kind == ColumnKind::kCategory;
  if (sign == ':' && (category || (!number && is_part(column, text)))) {
    return [&, part = folded(text)](NodeId node) {
      return columns.cells.has(node, column) && contains(columns.cells.text(node, column), part);
    };
  }
  if (category || !number) return {};
  return [&, number, sign](NodeId node) {
    const auto cell = columns.cells.number(node, column);
    if (!cell) return false;
    return sign == ':' ? *cell == *number : sign == '<' ? *cell < *number : *cell > *number;
  };
}

[[noreturn]] void refuse_search(const std::string& what, const std::string& expected, const std::string& found) {
  throw ApiError(400, "bad_search", "q: " + what, expected, found);
}

[[noreturn]] void refuse_order(const std::string& name, const std::string& found) {
  refuse_search("'" + name + "' holds text, which is neither smaller nor larger", name + ":TEXT", found);
}

[[noreturn]] void refuse_value(const FeatureColumn& column, const std::string& value, const std::string& found) {
  if (column.kind == ColumnKind::kCategory) refuse_order(column.name, found);
  const bool date = column.kind == ColumnKind::kDate;
  refuse_search("'" + value + "' is not a " + to_string(column.kind) + ", as '" + column.name + "' holds",
                column.name + (date ? ">2024-05-01, <2024-05-01 or :2024-05" : ">10, <10 or :10"), found);
}

// `name`: one of fact_names().
Match in_facts(const std::string& name, const std::string& text, const report::NodeFacts& facts) {
  const std::string part = folded(text);
  if (name == "id") return [&facts, text](NodeId node) { return facts.id(node).find(text) != std::string::npos; };
  if (name == "type") {
    return [&facts, part](NodeId node) { return facts.type(node) != nullptr && contains(facts.type(node), part); };
  }
  return [&facts, part](NodeId node) {
    const auto labels = facts.labels(node);
    return labels && std::ranges::any_of(*labels, [&](const std::string& label) { return contains(label, part); });
  };
}

std::vector<std::string> fact_names(const report::NodeFacts& facts) {
  return facts.data().type_names.empty() ? std::vector<std::string>{"id", "label"}
                                         : std::vector<std::string>{"id", "type", "label"};
}

// "column:text"; none if the text names no column.
Match in_named_column(const std::string& text, const report::NodeFacts& facts, const report::Columns& columns) {
  for (size_t at = text.find_first_of(":<>"); at != std::string::npos; at = text.find_first_of(":<>", at + 1)) {
    const std::string name = folded(bare(std::string_view(text).substr(0, at))),
                      rest = bare(std::string_view(text).substr(at + 1));
    const bool fact = std::ranges::count(fact_names(facts), name) > 0;
    if (fact && text[at] == ':') return in_facts(name, rest, facts);
    std::vector<Match> matches;  // several tables may have a column of this name
    const FeatureColumn* refused = nullptr;
    for (const FeatureColumn& column : columns.cells.columns()) {
      if (folded(column.name) != name) continue;
      if (Match match = in_column(column, text[at], rest, columns)) matches.push_back(match);
      else refused = &column;
    }
    if (matches.empty() && refused != nullptr) refuse_value(*refused, rest, text);
    if (matches.empty() && fact) refuse_order(name, text);
    if (matches.empty()) continue;
    return [matches](NodeId node) {
      return std::ranges::any_of(matches, [node](const Match& match) { return match(node); });
    };
  }
  return {};
}

bool is_found(const Match& match, int64_t nodes) {
  for (int64_t node = 0; node < nodes; ++node) {
    if (match(static_cast<NodeId>(node))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> column_names(const report::Columns& columns) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const FeatureColumn& column : columns.cells.columns()) {
    if (seen.insert(column.name).second) names.push_back(column.name);
  }
  return names;
}

std::function<bool(NodeId)> cell_search(const std::string& text, const report::NodeFacts& facts,
                                        const report::Columns& columns) {
  if (text.empty()) return [](NodeId) { return true; };
  if (Match match = in_named_column(text, facts, columns)) return match;
  const Match match = [any = AnyCell(text, columns), text, &facts](NodeId node) {
    return facts.id(node).find(text) != std::string::npos || any(node);
  };
  const size_t sign = text.find_first_of(":<>");
  if (sign == std::string::npos || is_found(match, facts.data().graph.num_nodes())) return match;
  std::vector<std::string> names = fact_names(facts);
  const std::vector<std::string> own = column_names(columns);
  names.insert(names.end(), own.begin(), own.end());
  const std::string name = bare(std::string_view(text).substr(0, sign));
  refuse_search("no column is called '" + name + "'" + did_you_mean(name, names),
                "one of the columns " + listed(names, kMostListed), text);
}

}  // namespace geniepath::serve
