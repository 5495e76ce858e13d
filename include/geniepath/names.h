// Named enums: one table per enum holds the names used in options, files and messages.
//
//   enum class Residual { kNone, kHop };
//   template <>
//   inline constexpr auto kNames<Residual> = names<Residual>({{Residual::kNone, "none"}, {Residual::kHop, "hop"}});
//
//   to_string(Residual::kHop)                  "hop"
//   from_string<Residual>("hop", "residual")   Residual::kHop; for any other text an Error that lists the names
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "geniepath/error.h"

namespace geniepath {

template <class E>
struct NamedValue {
  E value;
  const char* name;
};

template <class E, size_t n>
constexpr std::array<NamedValue<E>, n> names(const NamedValue<E> (&table)[n]) {
  return std::to_array(table);
}

// Specialised next to each named enum.
template <class E>
inline constexpr auto kNames = nullptr;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires { kNames<E>.size(); };

template <NamedEnum E>
constexpr const char* to_string(E value) {
  for (const NamedValue<E>& named : kNames<E>) {
    if (named.value == value) return named.name;
  }
  return "?";
}

template <NamedEnum E>
std::vector<std::string> names_of() {
  std::vector<std::string> list;
  for (const NamedValue<E>& named : kNames<E>) list.emplace_back(named.name);
  return list;
}

// "none, hop", for messages. Of more than `most`, the first ones: "none, hop and 3 more".
inline std::string listed(const std::vector<std::string>& names, size_t most = SIZE_MAX) {
  std::string text;
  for (size_t n = 0; n < std::min(names.size(), most); ++n) text += (n == 0 ? "" : ", ") + names[n];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

// The Error's message begins with `what`.
template <NamedEnum E>
E from_string(const std::string& name, const std::string& what) {
  for (const NamedValue<E>& named : kNames<E>) {
    if (name == named.name) return named.value;
  }
  fail(what, ": '", name, "' is not one of ", listed(names_of<E>()));
}

}  // namespace geniepath
