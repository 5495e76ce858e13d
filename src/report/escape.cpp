#include "report/escape.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace geniepath::report {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

// Length in bytes of the character that begins here; 0 if invalid.
size_t character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t n) { return at + n < text.size() ? static_cast<unsigned char>(text[at + n]) : 0u; };
  const unsigned first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc2 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                        : first < 0xf5 ? 4
                                       : 0;
  for (size_t n = 1; n < length; ++n) {
    if ((byte(n) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and code points beyond the last.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
  return length;
}

// Code point of a character, or value of an invalid byte.
unsigned number_of(std::string_view piece) {
  const auto byte = [&](size_t n) { return static_cast<unsigned>(static_cast<unsigned char>(piece[n])); };
  unsigned number = piece.size() == 1 ? byte(0) : byte(0) & (0xffu >> (piece.size() + 1));
  for (size_t n = 1; n < piece.size(); ++n) number = number << 6 | (byte(n) & 0x3fu);
  return number;
}

// Characters that act instead of being shown: C0, DEL and C1 control a terminal, line and paragraph separators break a
// line, and embeddings, overrides and isolates change the direction of the text that follows.
bool steers(unsigned c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

// Visits each character and each invalid byte, with whether it is safe to show.
template <class Visit>
void for_pieces(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = character_at(text, at);
    const std::string_view piece = text.substr(at, std::max<size_t>(length, 1));
    visit(piece, length > 0 && !steers(number_of(piece)));
    at += piece.size();
  }
}

// Visits the characters, with the replacement character for those not safe to show.
template <class Visit>
void for_characters(std::string_view text, Visit visit) {
  for_pieces(text, [&](std::string_view piece, bool safe) { visit(safe ? piece : std::string_view(kReplacement)); });
}

// \n, \x1b for a single byte, \u202e for a multi-byte character.
std::string escape_code(std::string_view piece) {
  if (piece == "\n") return "\\n";
  if (piece == "\r") return "\\r";
  if (piece == "\t") return "\\t";
  char code[16];
  std::snprintf(code, sizeof code, piece.size() == 1 ? "\\x%02x" : "\\u%04x", number_of(piece));
  return code;
}

// First characters of a cell that a spreadsheet runs as a formula.
constexpr std::string_view kFormulaStarts = "=+-@\t\r\n";

bool is_number(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return false;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

bool looks_like_a_formula(std::string_view text) {
  const size_t start = text.find_first_not_of('\'');
  return start != std::string_view::npos && kFormulaStarts.find(text[start]) != std::string_view::npos &&
         !is_number(text);
}

// Handles each piece between semicolons, since they separate cells in some countries.
std::string without_formulas(std::string_view text) {
  std::string out;
  for (size_t from = 0, end = 0; end != std::string_view::npos; from = end + 1) {
    end = text.find(';', from);
    const std::string_view piece = text.substr(from, end - from);
    out += (from == 0 ? "" : ";") + std::string(looks_like_a_formula(piece) ? "'" : "") + std::string(piece);
  }
  return out;
}

}  // namespace

std::string html(std::string_view text) {
  std::string out;
  for_characters(text, [&](std::string_view c) {
    if (c == "&") out += "&amp;";
    else if (c == "<") out += "&lt;";
    else if (c == ">") out += "&gt;";
    else if (c == "\"") out += "&quot;";
    else if (c == "'") out += "&#39;";
    else out += c;
  });
  return out;
}

std::string dot(std::string_view text) {
  std::string out;
  for_characters(text, [&](std::string_view c) {
    if (c == "\"" || c == "\\") out += '\\';
    out += c;
  });
  return out;
}

std::string csv(std::string_view text) {
  const std::string cell = without_formulas(text);
  const bool blank_at_an_end = cell.starts_with(' ') || cell.ends_with(' ');  // dropped by readers unless quoted
  if (!blank_at_an_end && cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string terminal(std::string_view text) {
  std::string out;
  for_pieces(text, [&](std::string_view piece, bool safe) { out += safe ? std::string(piece) : escape_code(piece); });
  return out;
}

std::string shortened(std::string_view text, size_t characters) {
  size_t count = 0;
  std::string out, all_but_one;
  for_characters(text, [&](std::string_view c) {
    if (++count == characters) all_but_one = out;
    if (count <= characters) out += c;
  });
  return count <= characters ? out : all_but_one + "\xe2\x80\xa6";
}

}  // namespace geniepath::report
