// Numbers and bars for people who read a terminal.
#pragma once

#include <cstdint>
#include <string>

namespace geniepath::cli {

std::string grouped(int64_t number);  // 1,234,567

std::string padded(const std::string& text, size_t width);  // to the right, with spaces in front

// A bar of full and eighth blocks, `share` (0 to 1) of `width` columns; more than nothing always shows.
std::string bar(double share, int width);

std::string megabytes(int64_t bytes);  // 1.3 MB

}  // namespace geniepath::cli
