// Contents of a node table's feature columns, found by reading the table once.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "io/interner.h"

namespace geniepath {

// Whether a cell of a column of numbers or dates counts as empty: "", NA, n/a, nan, null, None.
bool is_missing(std::string_view cell);

struct ColumnProfile {
  int column = 0;
  int32_t most_values = 0;

  // Filled by read_profiles(). Cells that count as missing are in `values` alone, unless they are empty.
  int64_t numbers = 0, dates = 0, texts = 0, missing = 0;
  double sum = 0;            // of numbers and of dates
  Interner values{};         // distinct cells, until there are more than most_values
  std::string first_text{};  // "nodes.csv:7: 'Rome'"
  int64_t formatted = 0;     // texts that are numbers or dates in other forms (plain_form())
  std::string first_formatted{};

  bool holds_numbers() const { return texts == 0 && dates == 0; }
  bool holds_dates() const { return texts == 0 && numbers == 0 && dates > 0; }
  bool is_mostly_formatted() const {
    return 2 * (numbers + dates + formatted) > numbers + dates + texts && formatted > 0;
  }
  bool has_few_values() const { return values.size() <= most_values; }
  double mean() const { return numbers + dates == 0 ? 0 : sum / static_cast<double>(numbers + dates); }
};

void read_profiles(const std::filesystem::path& path, char separator, bool has_header,
                   std::span<ColumnProfile> profiles);

}  // namespace geniepath
