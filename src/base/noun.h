// Nouns after numbers: "1 node", "2 nodes".
#pragma once

#include <concepts>
#include <string>

namespace geniepath {

// The form of the noun for this many; `many`: where it is not `one` with an s.
template <std::integral Whole>
std::string noun(Whole count, const std::string& one, const std::string& many = "") {
  return count == 1 ? one : many.empty() ? one + "s" : many;
}

// "1 node", "2 nodes".
template <std::integral Whole>
std::string counted(Whole count, const std::string& one, const std::string& many = "") {
  return std::to_string(count) + " " + noun(count, one, many);
}

}  // namespace geniepath
