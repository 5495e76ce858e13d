#include "io/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr size_t kInflatedAtOnce = 1 << 20;
constexpr size_t kLongestLine = 256u << 20;  // of a gzip file; a longer one is an attack on memory, not a table

bool is_ascii(std::string_view text) {
  uint64_t bits = 0;
  while (text.size() >= sizeof bits) {
    uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    bits |= word;
    text.remove_prefix(sizeof word);
  }
  for (const char c : text) bits |= static_cast<unsigned char>(c);
  return (bits & 0x8080808080808080ULL) == 0;
}

// Length of the UTF-8 character at the front, 0 if invalid (Unicode 15, table 3-7).
size_t character_length(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return follows(1) ? 2 : 0;
  if (first < 0xf0) {
    return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  }
  if (first > 0xf4) return 0;
  return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
}

constexpr std::string_view kBlanks = " \t";

char likely_separator(std::string_view line) {
  const bool has_others = line.find_first_of(",\t;") != std::string_view::npos;
  const bool has_blanks = without_blanks(line).find(' ') != std::string_view::npos;
  char best = has_blanks && !has_others ? CsvReader::kWhitespace : ',';
  int64_t most = 0;
  for (const char candidate : {',', '\t', ';'}) {
    bool quoted = false;
    int64_t count = 0;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == candidate && !quoted) ++count;
    }
    if (count > most) most = count, best = candidate;
  }
  return best;
}

// No library of Debian reads these two formats, so the message shows how to write them as CSV.
void refuse_columnar(std::string_view text, const std::string& name) {
  const auto refuse = [&](const char* format, const char* reader) {
    fail(name, ": a file in ", format, " format, expected CSV; convert it with: python3 -c \"import pandas; pandas.",
         reader, "('", name, "').to_csv('", name, ".csv', index=False)\"");
  };
  if (text.starts_with("PAR1")) refuse("Parquet", "read_parquet");
  if (text.starts_with("ARROW1") || text.starts_with("FEA1")) refuse("Arrow", "read_feather");
}

}  // namespace

CsvReader::CsvReader(const std::filesystem::path& path, char separator)
    : name_(path.string()), separator_(separator), file_(MappedFile::open(path)) {
  refuse_columnar(file_->text(), name_);
  if (is_gzip(file_->text())) {
    file_.reset();
    gzip_ = std::make_unique<GzipReader>(path);
    more();
  } else {
    rest_ = file_->text();
  }
  start();
}

CsvReader::CsvReader(std::string_view text, std::string name, char separator)
    : name_(std::move(name)), separator_(separator), rest_(text) {
  start();
}

double CsvReader::share_read() const {
  if (!file_ || file_->text().empty()) return 0;
  return 1 - static_cast<double>(rest_.size()) / static_cast<double>(file_->text().size());
}

void CsvReader::start() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  if (rest_.empty()) fail(name_, ": the file is empty");
}

bool CsvReader::more() {
  if (!gzip_) return false;
  if (rest_.size() > kLongestLine) fail(name_, ":", line_ + 1, ": a line of more than ", kLongestLine, " bytes");
  const size_t kept = rest_.size();
  if (kept > 0) std::memmove(buffer_.data(), rest_.data(), kept);
  // A long line doubles the piece, so that kept text is not moved over and over.
  buffer_.resize(std::max(kInflatedAtOnce, kept * 2));
  const size_t got = gzip_->read(buffer_.data() + kept, buffer_.size() - kept);
  rest_ = std::string_view(buffer_).substr(0, kept + got);
  return got > 0;
}

std::optional<std::string_view> CsvReader::line() {
  size_t end = rest_.find('\n');
  while (end == std::string_view::npos) {
    const size_t searched = rest_.size();
    if (!more()) break;
    end = rest_.find('\n', searched);
  }
  if (rest_.empty()) return std::nullopt;
  ++line_;
  std::string_view found = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

bool CsvReader::is_skipped(std::string_view line) const {
  if (width_ == 0 && line.starts_with("# ")) return true;
  return (separator_ == kWhitespace ? without_blanks(line) : line).empty();
}

bool CsvReader::next() {
  std::optional<std::string_view> found;
  do {
    found = line();
  } while (found && is_skipped(*found));
  if (!found) return false;
  row_line_ = line_;
  if (separator_ == kAnySeparator) separator_ = likely_separator(*found);
  fields_.clear();
  check_text(*found);
  if (found->find('"') != std::string_view::npos) {
    split_quoted(*found);
  } else if (separator_ == kWhitespace) {
    split_at_whitespace(*found);
  } else {
    split(*found);
  }
  if (width_ == 0) width_ = fields_.size();
  if (fields_.size() != width_) {
    fail(where(), ": expected ", width_, " fields as in the first row, found ", fields_.size());
  }
  return true;
}

void CsvReader::check_text(std::string_view text) const {
  if (is_ascii(text)) return;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t length = character_length(rest);
    if (length == 0) {
      fail(name_, ":", line_, ": byte ", text.size() - rest.size() + 1, " of the line (",
           static_cast<unsigned>(static_cast<unsigned char>(rest[0])), ") is not UTF-8: save the table as UTF-8");
    }
    rest.remove_prefix(length);
  }
}

void CsvReader::split(std::string_view text) {
  for (;;) {
    const size_t end = text.find(separator_);
    fields_.push_back(without_blanks(text.substr(0, end)));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void CsvReader::split_at_whitespace(std::string_view text) {
  for (text = without_blanks(text); !text.empty();) {
    const size_t end = std::min(text.find_first_of(kBlanks), text.size());
    fields_.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks, end), text.size()));
  }
}

// Removes the rest of a quoted field, with its closing quote, from the text; a field may continue on further lines.
std::string CsvReader::take_quoted(std::string_view& text) {
  std::string field;
  for (;;) {
    const size_t quote = text.find('"');
    field.append(text.substr(0, quote));
    if (quote != std::string_view::npos) {
      text.remove_prefix(quote + 1);
      if (!text.starts_with('"')) return field;
      field += '"';
      text.remove_prefix(1);
      continue;
    }
    const std::optional<std::string_view> next_line = line();
    if (!next_line) fail(where(), ": a quoted field of this row is never closed");
    if (field.size() > kLongestLine) fail(where(), ": a field of more than ", kLongestLine, " bytes");
    check_text(*next_line);
    field += '\n';
    text = *next_line;
  }
}

// Moves the field at the front of the text, and the separator after it, to the copies.
void CsvReader::take_unquoted(std::string_view& text, bool& another) {
  const bool whitespace = separator_ == kWhitespace;
  if (whitespace) text = without_blanks(text);
  const size_t end = whitespace ? text.find_first_of(kBlanks) : text.find(separator_);
  copies_.emplace_back(without_blanks(text.substr(0, end)));
  another = end != std::string_view::npos;
  text.remove_prefix(another ? end + 1 : text.size());
}

// All fields of a row with quotes are copied: a quoted one may run over several lines, and every further line of a
// gzip file may move the buffer.
void CsvReader::split_quoted(std::string_view text) {
  copies_.clear();
  const std::string_view blanks = separator_ == kWhitespace ? kBlanks : " ";
  for (bool another = true; another;) {
    const size_t start = text.find_first_not_of(blanks);
    if (start == std::string_view::npos || text[start] != '"') {
      take_unquoted(text, another);
      continue;
    }
    text.remove_prefix(start + 1);
    copies_.push_back(take_quoted(text));
    const size_t after = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(after);
    another = !text.empty();
    const bool parted = separator_ == kWhitespace ? after > 0 : text.starts_with(separator_);
    if (another && !parted) {
      fail(name_, ":", line_, ": expected a separator after a closing quote, found '", text.substr(0, 1), "'");
    }
    if (another && separator_ != kWhitespace) text.remove_prefix(1);
  }
  fields_.assign(copies_.begin(), copies_.end());
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view whole_number_text(std::string_view text, NumberText& digits) {
  bool otherwise = false;  // than by its digits alone
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') continue;
    const bool exponent = c == '+' && i > 0 && (text[i - 1] == 'e' || text[i - 1] == 'E');
    if (c == '.' || exponent) {
      otherwise = true;
    } else if (c != '-' && c != 'e' && c != 'E') {
      return text;
    }
  }
  if (!otherwise) return text;
  constexpr double kExact = 9007199254740992;  // 2^53: below, a double holds every whole number
  const std::optional<double> number = parse_number(text);
  if (!number || std::abs(*number) >= kExact || std::trunc(*number) != *number) return text;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<int64_t>(*number));
  return {digits.data(), static_cast<size_t>(end - digits.data())};
}

std::vector<std::string> split_list(std::string_view text, std::string_view separators) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const size_t end = text.find_first_of(separators);
    const std::string_view piece = without_blanks(text.substr(0, end));
    if (!piece.empty()) pieces.emplace_back(piece);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return pieces;
}

}  // namespace geniepath
