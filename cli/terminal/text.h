// Numbers, bars and tables for people who read a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/escape.h"
#include "report/numbers.h"

namespace geniepath::cli {

using report::fixed, report::grouped, report::terminal;

std::string padded(const std::string& text, size_t width);  // to the right, with spaces in front

// A bar of full and eighth blocks, `share` (0 to 1) of `width` columns; more than nothing always shows.
std::string bar(double share, int width);

std::string bytes_text(int64_t bytes);  // 1.2 GiB

// Columns aligned, numbers to the right; the first row is the heading. Cells may hold any text: it goes through terminal().
std::string table(std::vector<std::vector<std::string>> rows);

}  // namespace geniepath::cli
