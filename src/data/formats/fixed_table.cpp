#include "data/formats/fixed_table.h"

#include "geniepath/error.h"

namespace geniepath {

FixedTable::FixedTable(const std::filesystem::path& path, std::vector<std::string> columns, Header header)
    : rows_(path, ','), columns_(std::move(columns)) {
  if (header == Header::kAbsent) return;
  if (!rows_.next()) fail(path.string(), ": no header, expected one that begins with '", columns_[0], "'");
  check_width();
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (rows_.fields()[i] == columns_[i]) continue;
    fail(where(), ": column ", i + 1, " is called '", rows_.fields()[i], "', expected '", columns_[i], "'");
  }
}

bool FixedTable::next() {
  if (!rows_.next()) return false;
  check_width();
  return true;
}

void FixedTable::check_width() const {
  if (rows_.fields().size() == columns_.size()) return;
  std::string names;
  for (const std::string& column : columns_) names += (names.empty() ? "" : ",") + column;
  fail(where(), ": expected ", columns_.size(), " fields (", names, "), found ", rows_.fields().size());
}

std::string_view FixedTable::text(size_t column) const {
  if (rows_.fields()[column].empty()) fail(where(), ": ", columns_[column], ": expected a name, found nothing");
  return rows_.fields()[column];
}

int64_t FixedTable::integer(size_t column, int64_t low, int64_t high) const {
  const auto value = parse_integer(rows_.fields()[column]);
  if (value && *value >= low && *value <= high) return *value;
  fail(where(), ": ", columns_[column], ": expected an integer from ", low, " to ", high, ", found '",
       rows_.fields()[column], "'");
}

double FixedTable::number(size_t column, double low, double high) const {
  const auto value = parse_number(rows_.fields()[column]);
  if (value && *value >= low && *value <= high) return *value;  // false for NaN
  fail(where(), ": ", columns_[column], ": expected a number from ", low, " to ", high, ", found '",
       rows_.fields()[column], "'");
}

}  // namespace geniepath
