#include "data/tables/edge_columns.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/suggestion.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr std::pair<const char*, const char*> kUsualNames[] = {{"src", "dst"}, {"source", "target"}, {"from", "to"}};

size_t column_named(const std::string& name, const char* option, const CsvReader& table) {
  const auto header = table.fields();
  const auto found = std::find(header.begin(), header.end(), name);
  if (found != header.end()) return static_cast<size_t>(found - header.begin());
  fail(table.where(), ": no column '", name, "', which the option ", option, " names",
       did_you_mean(name, {header.begin(), header.end()}));
}

std::optional<std::pair<size_t, size_t>> usual_columns(std::span<const std::string_view> header) {
  for (const auto& [source, target] : kUsualNames) {
    const auto s = std::find(header.begin(), header.end(), source);
    const auto t = std::find(header.begin(), header.end(), target);
    if (s != header.end() && t != header.end())
      return std::pair<size_t, size_t>(s - header.begin(), t - header.begin());
  }
  return std::nullopt;
}

// Whether one of two ids occurs again below the first row.
bool recurs(const std::string& path, char separator, size_t source, size_t target) {
  CsvReader table(path, separator);
  table.next();
  const std::string first(table.fields()[source]), second(table.fields()[target]);
  while (table.next()) {
    for (const size_t column : {source, target}) {
      const std::string_view id = table.fields()[column];
      if (id == first || id == second) return true;
    }
  }
  return false;
}

bool names_columns(const TableOptions& options) { return !options.edge_source.empty() || !options.edge_target.empty(); }

// Existing ids are not names of columns, and neither are numbers. Without a node table, an id exists if it occurs
// again.
bool is_edge_header(const CsvReader& table, const EdgeColumns& columns, const TableOptions& options,
                    const KnownIds& known) {
  for (const size_t column : {columns.source, columns.target}) {
    const std::string_view cell = table.fields()[column];
    if (parse_number(cell) || known.contains(cell)) return false;
  }
  if (names_columns(options) || known.from_tables) return true;
  return !recurs(table.name(), options.separator_character(), columns.source, columns.target);
}

}  // namespace

EdgeColumns find_edge_columns(const CsvReader& table, const TableOptions& options, const KnownIds& known,
                              std::vector<std::string>& notes) {
  const auto header = table.fields();
  if (header.size() < 2) fail(table.where(), ": expected two columns or more, found ", header.size());
  EdgeColumns columns;
  const auto pair = usual_columns(header);
  const bool usual = pair.has_value(), named = names_columns(options);
  if (usual) std::tie(columns.source, columns.target) = *pair;
  const bool has_header = options.edge_header == TableHeader::kAuto
                              ? usual || is_edge_header(table, columns, options, known)
                              : options.edge_header == TableHeader::kYes;
  if (!has_header) {
    if (named) fail(table.where(), ": edge-source and edge-target name columns, but the table has no header");
    if (options.edge_header == TableHeader::kAuto) {
      notes.push_back(table.name() + ": no header, as the first row holds ids (--edge-header yes: it is a header)");
    }
    return {0, 1, false};
  }
  if (!options.edge_source.empty()) columns.source = column_named(options.edge_source, "edge-source", table);
  if (!options.edge_target.empty()) columns.target = column_named(options.edge_target, "edge-target", table);
  if (columns.source == columns.target) fail(table.where(), ": source and target are the same column");
  if (!usual && !named) {
    notes.push_back(table.name() + ": the first row is a header (--edge-header no: it is an edge); edges run from '" +
                    std::string(header[columns.source]) + "' to '" + std::string(header[columns.target]) + "'");
  }
  return columns;
}

}  // namespace geniepath
