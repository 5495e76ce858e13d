// JSON from outside: a file's, a header's, a request's.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace geniepath {

// How deep lists and objects may lie in one another. What walks over a parsed value does so by recursion, so that text
// nested without limit would exhaust the stack.
constexpr int kDeepestJson = 64;

// Json: nlohmann::json, or ordered_json, whose keys are found by a linear search: for text we wrote ourselves.
// An Error names `where` and what is not JSON, or that it is nested too deep.
template <class Json>
Json parse_json(std::string_view text, const std::string& where);

extern template nlohmann::json parse_json(std::string_view, const std::string&);
extern template nlohmann::ordered_json parse_json(std::string_view, const std::string&);

}  // namespace geniepath
