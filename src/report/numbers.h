// Numbers for people.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace geniepath::report {

inline std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value == 0 ? 0.0 : value);  // never -0
  return text;
}

// 1,234,567; 1.23e+18 beyond what a double counts exactly.
inline std::string grouped(double whole) {
  if (whole >= 0x1p53) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", whole);
    return text;
  }
  std::string digits = fixed(std::floor(whole), 0);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

}  // namespace geniepath::report
