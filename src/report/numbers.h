// Formatting of numbers for people.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>

#include "base/noun.h"

namespace geniepath::report {

// "–" for what is not a number.
inline std::string fixed(double value, int digits) {
  if (std::isnan(value)) return "–";
  char text[400];  // the largest double has 309 digits
  std::snprintf(text, sizeof text, "%.*f", digits, value == 0 ? 0.0 : value);  // never -0
  return text;
}

// With digits after the point; 1.23e+25 from a million on.
inline std::string in_width(double value, int digits) {
  if (!(std::abs(value) >= 1e6)) return fixed(value, digits);
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// 1,234,567
template <std::integral Whole>
std::string grouped(Whole number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

// The same; 1.23e+18 beyond the integers that a double represents exactly.
inline std::string grouped(double whole) {
  return std::abs(whole) < 0x1p53 ? grouped(static_cast<int64_t>(std::floor(whole))) : in_width(whole, 0);
}

// 1,234 nodes; 1 node
template <std::integral Whole>
std::string grouped(Whole count, const std::string& one, const std::string& many = "") {
  return grouped(count) + " " + noun(count, one, many);
}

}  // namespace geniepath::report
