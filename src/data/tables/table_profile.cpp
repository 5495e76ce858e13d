#include "data/tables/table_profile.h"

#include <algorithm>

#include "data/tables/plain_form.h"
#include "io/csv.h"
#include "io/iso_date.h"

namespace geniepath {
namespace {

void add_cell(ColumnProfile& profile, std::string_view cell, const CsvReader& row) {
  if (!cell.empty() && profile.has_few_values()) profile.values.add(cell);
  if (is_missing(cell)) {
    ++profile.missing;
  } else if (const auto number = parse_number(cell)) {
    ++profile.numbers;
    profile.sum += *number;
  } else if (const auto date = parse_iso_date(cell)) {
    ++profile.dates;
    profile.sum += *date;
  } else {
    if (profile.texts++ == 0) profile.first_text = row.where() + ": '" + std::string(cell) + "'";
    if (plain_form(cell) && profile.formatted++ == 0) profile.first_formatted = cell;
  }
}

}  // namespace

bool is_missing(std::string_view cell) {
  constexpr std::string_view kMarks[] = {"", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None"};
  return std::ranges::find(kMarks, cell) != std::end(kMarks);
}

void read_profiles(const std::filesystem::path& path, char separator, bool has_header,
                   std::span<ColumnProfile> profiles) {
  CsvReader table(path, separator);
  if (has_header) table.next();
  while (table.next()) {
    for (ColumnProfile& profile : profiles)
      add_cell(profile, table.fields()[static_cast<size_t>(profile.column)], table);
  }
}

}  // namespace geniepath
