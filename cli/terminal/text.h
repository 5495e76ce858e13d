// Numbers, bars and tables for the terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_size.h"
#include "report/escape.h"
#include "report/numbers.h"

namespace geniepath::cli {

using geniepath::bytes_text;
using report::fixed, report::grouped, report::in_width, report::terminal;

size_t shown_width(const std::string& text);  // characters, not bytes

std::string padded(const std::string& text, size_t width);  // right-aligned

// A bar of full and eighth blocks, `share` (0 to 1) of `width` columns; any positive share is visible.
std::string bar(double share, int width);

// Aligned columns, numbers to the right; the first row is the heading. Cells are escaped by terminal().
std::string table(std::vector<std::vector<std::string>> rows);

// The same; if it is wider than `columns`, turned, with a column per row, unless that does not fit either.
std::string fitted_table(const std::vector<std::vector<std::string>>& rows, size_t columns);

}  // namespace geniepath::cli
