#include "report/escape.h"

#include <algorithm>

namespace geniepath::report {
namespace {

constexpr const char* kReplacement = "\xef\xbf\xbd";

// Bytes of the character that begins here; 0 where none does.
size_t character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t n) { return at + n < text.size() ? static_cast<unsigned char>(text[at + n]) : 0u; };
  const unsigned first = byte(0);
  const size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (size_t n = 1; n < length; ++n) {
    if ((byte(n) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is beyond the last character.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0)) return 0;
  if ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90)) return 0;
  return length;
}

// Visits the characters; what is none is visited as the replacement.
template <class Visit>
void for_characters(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = character_at(text, at);
    const bool control = length == 1 && (static_cast<unsigned char>(text[at]) < 0x20 || text[at] == 0x7f);
    visit(length == 0 || control ? std::string_view(kReplacement) : text.substr(at, length));
    at += std::max<size_t>(length, 1);
  }
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
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
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
