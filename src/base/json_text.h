// Parsing untrusted JSON: files, headers, requests.
#pragma once

#include <cstdint>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace geniepath {

// Deepest nesting of lists and objects. Parsed values are walked recursively, so deeper ones could exhaust the stack.
constexpr int kDeepestJson = 64;

// Json: nlohmann::json, or ordered_json, which finds keys by linear search and is for text we wrote ourselves.
// Throws an Error that names `where` and the first mistake, or says that the nesting is too deep.
template <class Json>
Json parse_json(std::string_view text, const std::string& where);

extern template nlohmann::json parse_json(std::string_view, const std::string&);
extern template nlohmann::ordered_json parse_json(std::string_view, const std::string&);

// An Error unless the value is a whole number that fits: the library's own conversion takes any number, and is
// undefined for one that does not fit. `where` begins the message.
int64_t whole_number(const nlohmann::ordered_json& value, const std::string& where);

// The message of an nlohmann-json exception, in one line of at most 200 characters, without its prefix
// "[json.exception.parse_error.101]".
std::string json_reason(const std::exception& error);

}  // namespace geniepath
