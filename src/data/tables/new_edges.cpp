#include "data/tables/new_edges.h"

#include <algorithm>
#include <map>

#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr NodeId kUnknown = -1;

std::string id_at(const CsvReader& row, size_t column) {
  NumberText digits;
  const std::string_view id = whole_number_text(row.fields()[column], digits);
  if (id.empty()) fail(row.where(), ": an end of the edge is empty, expected an id");
  return std::string(id);
}

// What an edge of a batch may lead to, besides nodes of the graph.
std::string rows_text(const Interner& rows) {
  const std::string first(rows[0]), last(rows[rows.size() - 1]);
  if (rows.size() == 1) return "the row '" + first + "', which is scored alone";
  return "one of the rows '" + first + "' to '" + last + "' that are scored together";
}

}  // namespace

NewEdges::NewEdges(const TableOptions& options, const NodeNames& known) : options_(options), known_(known) {}

template <class Visit>
void NewEdges::read(Visit visit) {
  size_t number = 0;
  std::vector<std::string> again;  // notes were made in the first pass
  for (const std::string& path : split_list(options_.edges)) {
    CsvReader table(path, options_.separator_character());
    if (!table.next()) fail(path, ": no rows");
    const KnownIds known{[this](std::string_view id) { return known_.find(id).has_value(); }, true};
    const EdgeColumns columns = find_edge_columns(table, options_, known, first_pass_ ? notes_ : again);
    if (columns.first_row_is_header && !table.next()) continue;
    do {
      visit(id_at(table, columns.source), id_at(table, columns.target), table, number++);
    } while (table.next());
  }
}

BatchEdges NewEdges::of_batch(const Interner& rows) {
  const BatchEdges batch = edges_of(rows, {});
  return batch.unlisted == 0 ? batch : edges_of(rows, added_by(rows));
}

Interner NewEdges::added_by(const Interner& rows) {
  Interner added;
  std::map<std::string, std::vector<std::string>> unknown_neighbours;  // of unknown ids
  read([&](const std::string& source, const std::string& target, const CsvReader&, size_t) {
    for (const auto& [id, other] : {std::pair(source, target), std::pair(target, source)}) {
      if (rows.find(id) >= 0 || known_.find(id)) continue;
      if (rows.find(other) >= 0) {
        added.add(id);
      } else if (!known_.find(other)) {
        unknown_neighbours[other].push_back(id);
      }
    }
  });
  for (int32_t n = 0; n < added.size(); ++n) {  // grows
    const auto found = unknown_neighbours.find(std::string(added[n]));
    if (found == unknown_neighbours.end()) continue;
    for (const std::string& id : found->second) added.add(id);
  }
  return added;
}

BatchEdges NewEdges::edges_of(const Interner& rows, const Interner& added) {
  BatchEdges batch;
  Interner unlisted;
  const auto find = [&](const std::string& id) {
    if (const int32_t row = rows.find(id); row >= 0) return known_.size() + row;
    return known_.find(id).value_or(kUnknown);
  };
  const auto end_of = [&](NodeId found, const std::string& id, const CsvReader& row) {
    if (found != kUnknown || options_.unknown_nodes == UnknownNodes::kSkip) return found;
    if (options_.unknown_nodes == UnknownNodes::kAdd) return known_.size() + rows.size() + unlisted.add(id);
    fail(row.where(), ": the id '", id, "' is neither a node of the graph nor ", rows_text(rows),
         " (unknown-nodes = skip passes over such edges)");
  };
  read([&](const std::string& source, const std::string& target, const CsvReader& row, size_t number) {
    if (number == used_.size()) used_.push_back(false);
    const NodeId from = find(source), to = find(target);
    if (std::max(from, to) < known_.size() && added.find(source) < 0 && added.find(target) < 0) {
      const bool among_known = std::min(from, to) != kUnknown;
      if (among_known && !used_[number]) ++among_known_;
      used_[number] = used_[number] || among_known;
      return;
    }
    const NodeId a = end_of(from, source, row), b = end_of(to, target, row);
    if (std::min(a, b) != kUnknown) batch.edges.emplace_back(a, b);
    if (std::min(a, b) == kUnknown && !used_[number]) ++skipped_;
    used_[number] = true;
  });
  first_pass_ = false;
  batch.unlisted = unlisted.size();
  return batch;
}

void NewEdges::finish() {
  const auto unused = std::count(used_.begin(), used_.end(), false);
  if (unused == 0) return;
  if (options_.unknown_nodes == UnknownNodes::kSkip) {
    skipped_ += unused;
    return;
  }
  read([&](const std::string& source, const std::string& target, const CsvReader& row, size_t number) {
    if (used_[number]) return;
    fail(row.where(), ": neither '", source, "' nor '", target, "' is one of the new rows",
         options_.unknown_nodes == UnknownNodes::kAdd ? " or a node added for them" : "",
         " (unknown-nodes = skip passes over such edges)");
  });
}

}  // namespace geniepath
