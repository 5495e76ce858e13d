#include "serve/request.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "serve/api_error.h"

namespace geniepath::serve {
namespace {

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

[[noreturn]] void refuse(const std::string& name, const std::string& expected, const std::string& found) {
  throw ApiError(400, "bad_parameter", name + ": not " + expected, expected, found);
}

// The whole text as a number.
template <class T>
bool parsed(const std::string& text, T& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

std::string number_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// The pieces between separators; none for an empty text.
std::vector<std::string_view> pieces(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string percent_decoded(std::string_view text, bool plus) {
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += plus && text[at] == '+' ? ' ' : text[at];
      continue;
    }
    const int high = at + 2 < text.size() ? hexadecimal(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hexadecimal(text[at + 2]) : -1;
    if (high < 0 || low < 0 || (high == 0 && low == 0)) {
      throw ApiError(400, "bad_parameter", "the address is not percent-encoded text",
                     "%XX with two hexadecimal digits, not %00", std::string(text.substr(at, 3)));
    }
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

Target parse_target(std::string_view target) {
  Target out;
  const size_t mark = target.find('?');
  std::string_view path = target.substr(0, mark);
  if (!path.starts_with('/'))
    throw ApiError(400, "bad_parameter", "the address is not a path", "an address that begins with /",
                   std::string(path));
  path.remove_prefix(1);
  for (const std::string_view segment : pieces(path, '/')) out.segments.push_back(percent_decoded(segment, false));
  if (path.ends_with('/')) out.segments.emplace_back();
  if (mark == std::string_view::npos) return out;
  for (const std::string_view pair : pieces(target.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = percent_decoded(pair.substr(0, equals), true);
    const std::string value = percent_decoded(pair.substr(std::min(equals + 1, pair.size())), true);
    if (!out.query.emplace(name, value).second) {
      throw ApiError(400, "bad_parameter", name + ": given twice", "each parameter once", value);
    }
  }
  return out;
}

const std::string* Parameters::take(const char* name) {
  known_.insert(name);
  const auto found = query_.find(name);
  return found == query_.end() ? nullptr : &found->second;
}

int64_t Parameters::integer(const char* name, int64_t low, int64_t high, int64_t otherwise) {
  const std::string* text = take(name);
  if (text == nullptr) return otherwise;
  int64_t value = 0;
  if (!parsed(*text, value) || value < low || value > high) {
    refuse(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high), *text);
  }
  return value;
}

double Parameters::real(const char* name, double low, double high, double otherwise) {
  const std::string* text = take(name);
  if (text == nullptr) return otherwise;
  double value = 0;
  if (!parsed(*text, value) || !(value >= low && value <= high)) {
    refuse(name, "a number from " + number_text(low) + " to " + number_text(high), *text);
  }
  return value;
}

std::string Parameters::text(const char* name, size_t most_characters, const std::string& otherwise) {
  const std::string* text = take(name);
  if (text == nullptr) return otherwise;
  if (num_characters(*text) > most_characters) {
    refuse(name, "a text of at most " + std::to_string(most_characters) + " characters", *text);
  }
  return *text;
}

std::string Parameters::choice(const char* name, const std::vector<std::string>& options,
                               const std::string& otherwise) {
  const std::string* text = take(name);
  if (text == nullptr) return otherwise;
  if (std::find(options.begin(), options.end(), *text) != options.end()) return *text;
  std::string listed;
  for (const std::string& option : options) listed += (listed.empty() ? "" : ", ") + option;
  refuse(name, "one of: " + listed, *text);
}

void Parameters::finish() const {
  for (const auto& [name, value] : query_) {
    if (known_.count(name) > 0) continue;
    std::string expected;
    for (const std::string& known : known_) expected += (expected.empty() ? "" : ", ") + known;
    throw ApiError(400, "unknown_parameter", "this address takes no such parameter",
                   expected.empty() ? "no parameters" : expected, name);
  }
}

size_t num_characters(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace geniepath::serve
