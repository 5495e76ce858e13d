#include "terminal/text.h"

#include <algorithm>
#include <cmath>

#include "base/text_stream.h"

namespace geniepath::cli {
namespace {

// Also an empty cell, and signs of numbers such as − and –.
bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789.,-+%x±–−e ") == std::string::npos;
}

bool are_numbers(const std::vector<std::vector<std::string>>& rows, size_t column) {
  return std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) {
    return column >= row.size() || is_number(row[column]);
  });
}

size_t widest_line(const std::string& text) {
  size_t widest = 0;
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    widest = std::max(widest, shown_width(text.substr(begin, end - begin)));
  }
  return widest;
}

// Rows as columns.
std::vector<std::vector<std::string>> turned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::vector<std::string>> columns(rows.empty() ? 0 : rows[0].size());
  for (size_t c = 0; c < columns.size(); ++c) {
    for (const auto& row : rows) columns[c].push_back(c < row.size() ? row[c] : "");
  }
  return columns;
}

}  // namespace

size_t shown_width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string bar(double share, int width) {
  static const char* const kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(share > 0)) return "";
  const auto eighths = std::max(1L, std::lround(std::min(share, 1.0) * width * 8));
  std::string text;
  for (long i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[eighths % 8];
}

std::string table(std::vector<std::vector<std::string>> rows) {
  for (auto& row : rows) std::transform(row.begin(), row.end(), row.begin(), terminal);
  std::vector<size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], shown_width(row[c]));
  }
  std::vector<bool> right;
  for (size_t c = 0; c < width.size(); ++c) right.push_back(rows.size() > 1 && are_numbers(rows, c));
  TextStream out;
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& cell = rows[r][c];
      const std::string gap(width[c] - shown_width(cell), ' ');
      out << (c == 0 ? "" : "  ") << (right[c] ? gap + cell : c + 1 == rows[r].size() ? cell : cell + gap);
    }
    out << "\n";
    if (r > 0) continue;
    for (size_t c = 0; c < width.size(); ++c) out << (c == 0 ? "" : "  ") << std::string(width[c], '-');
    out << "\n";
  }
  return out.str();
}

std::string fitted_table(const std::vector<std::vector<std::string>>& rows, size_t columns) {
  const std::string usual = table(rows);
  if (widest_line(usual) <= columns) return usual;
  const std::string other = table(turned(rows));
  return widest_line(other) <= columns ? other : usual;
}

}  // namespace geniepath::cli
