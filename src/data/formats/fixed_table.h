// A CSV file with the columns of a published data set, cell by cell. Every Error names the file, the line and the
// column, what was expected and what was found.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv.h"

namespace geniepath {

enum class Header { kPresent, kAbsent };

class FixedTable {
 public:
  // A header that is present must have exactly these columns; without one, the first row must have as many fields.
  FixedTable(const std::filesystem::path& path, std::vector<std::string> columns, Header header);

  bool next();  // advances to the next row; false at the end
  std::string where() const { return rows_.where(); }

  std::string_view text(size_t column) const;  // not empty; valid until next()
  int64_t integer(size_t column, int64_t low, int64_t high) const;
  double number(size_t column, double low, double high) const;  // never NaN

 private:
  void check_width() const;

  CsvReader rows_;
  std::vector<std::string> columns_;
};

}  // namespace geniepath
