// Named enums: one table per enum holds the names used in options, files and messages.
//
//   enum class Residual { kNone, kHop };
//   template <>
//   inline constexpr auto kNames<Residual> = names<Residual>({{Residual::kNone, "none"}, {Residual::kHop, "hop"}});
//
//   to_string(Residual::kHop)                  "hop"
//   from_string<Residual>("hop", "residual")   Residual::kHop; for any other text an Error that lists the names
#pragma once

#include <array>
#include <cstddef>
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

// "none, hop", for messages.
inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
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
