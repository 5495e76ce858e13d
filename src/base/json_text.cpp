#include "base/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "geniepath/error.h"

namespace geniepath {
namespace {

// Looks only at brackets and strings. Up to the first syntax error, its depth is that of the parser.
void check_depth(std::string_view text, const std::string& where) {
  int depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++at;
    if (quoted) continue;
    if (c == ']' || c == '}') --depth;
    if ((c == '[' || c == '{') && ++depth > kDeepestJson) {
      fail(where, ": lists and objects nested more than ", kDeepestJson, " deep, at byte ", at);
    }
  }
}

}  // namespace

template <class Json>
Json parse_json(std::string_view text, const std::string& where) {
  check_depth(text, where);
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": not JSON: ", json_reason(error));
  }
}

template nlohmann::json parse_json(std::string_view, const std::string&);
template nlohmann::ordered_json parse_json(std::string_view, const std::string&);

std::string json_reason(const std::exception& error) {
  constexpr size_t kLongest = 200;
  const std::string_view message = error.what();
  return std::string(message.substr(std::min(message.find(' ') + 1, message.size()), kLongest));
}

int64_t whole_number(const nlohmann::ordered_json& value, const std::string& where) {
  const bool fits = value.is_number_integer() && !(value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX);
  if (!fits) fail(where, ": expected a whole number, found ", value.dump());
  return value.get<int64_t>();
}

}  // namespace geniepath
