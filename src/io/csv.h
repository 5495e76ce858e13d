// Comma-separated values, row by row (RFC 4180, read with a little tolerance):
//   - one row per line, ended by LF or CRLF; empty lines, a UTF-8 byte order mark and, before the first row, lines that
//     begin with "# " are skipped;
//   - the separator is comma, tab or semicolon: the one that occurs most in the first row, unless one is given; where
//     none of them occurs, runs of blanks and tabs separate the fields;
//   - "quoted" fields may hold separators, line ends and "" for a quote; a quote inside an unquoted field is a plain
//     character; blanks around an unquoted field are dropped;
//   - every row has as many fields as the first; the text is UTF-8; gzip is recognised by its first two bytes.
// A plain file is mapped, a gzip one is inflated piece by piece, so a table never has to fit into memory.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "io/gzip.h"

namespace geniepath {

// One row of a table.
class TableRow {
 public:
  virtual ~TableRow() = default;
  virtual std::span<const std::string_view> fields() const = 0;
  // The row's place, for messages.
  virtual std::string where() const = 0;
};

class CsvReader : public TableRow {
 public:
  static constexpr char kAnySeparator = '\0';
  static constexpr char kWhitespace = ' ';  // runs of blanks and tabs; those around a row do not count

  explicit CsvReader(const std::filesystem::path& path, char separator = kAnySeparator);
  // Reads text in memory, which must outlive the reader; messages call it `name`.
  CsvReader(std::string_view text, std::string name, char separator = kAnySeparator);

  // Advances to the next row; false at the end.
  bool next();
  // The fields of the row, valid until the next call of next().
  std::span<const std::string_view> fields() const override { return fields_; }
  const std::string& name() const { return name_; }
  // The share of a plain file that was read; 0 for a gzip one.
  double share_read() const;
  // "file:line", the line on which the row begins, counted from 1.
  std::string where() const override { return name_ + ":" + std::to_string(row_line_); }

 private:
  bool more();                             // inflates the next piece of a gzip file; false at the end
  std::optional<std::string_view> line();  // removes the next line from rest_; without its line end
  bool is_skipped(std::string_view line) const;
  void split(std::string_view line);
  void split_at_whitespace(std::string_view line);
  void split_quoted(std::string_view line);
  void take_unquoted(std::string_view& text, bool& another);
  std::string take_quoted(std::string_view& text);
  void start();
  void check_text(std::string_view line) const;

  std::string name_;
  char separator_;
  std::shared_ptr<const MappedFile> file_;
  std::unique_ptr<GzipReader> gzip_;
  std::string buffer_;     // the piece of a gzip file that contains rest_
  std::string_view rest_;  // the text at hand, from the next line on
  int64_t line_ = 0;       // lines read
  int64_t row_line_ = 0;   // the line on which the row begins
  size_t width_ = 0;       // number of fields in the first row, once read
  std::vector<std::string_view> fields_;
  std::vector<std::string> copies_;  // backing of fields_ in a row with quotes
};

// A whole field as a number, or nothing. "nan" and "inf" count as numbers; callers check where they matter.
std::optional<double> parse_number(std::string_view text);
std::optional<int64_t> parse_integer(std::string_view text);

// The digits of a whole number that is written with a point or an exponent: "838" for "8.38e+02" and "838.0". Any other
// text is returned as it is, "007" and "12e4" among them, which may be names.
using NumberText = std::array<char, 24>;
std::string_view whole_number_text(std::string_view text, NumberText& digits);

// The items of a list such as "a, b,c", trimmed; none for an empty list.
std::vector<std::string> split_list(std::string_view text, std::string_view separators = ",");

std::string_view without_blanks(std::string_view text);

}  // namespace geniepath
