// Registry of named entries, to which programs that use the library add their own. Safe to use from several threads.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "geniepath/error.h"

namespace geniepath {

template <class T>
class Registry {
 public:
  // `what` is for messages: "model", "loss".
  Registry(const char* what, std::vector<std::pair<std::string, T>> built_in)
      : what_(what), entries_(std::move(built_in)) {}

  void add(const std::string& name, T entry) {
    if (name.empty() || entry == nullptr) fail("register_", what_, ": expected a name and a function");
    const std::lock_guard<std::mutex> lock(mutex_);
    if (find(name) != nullptr) fail("register_", what_, ": there is a ", what_, " '", name, "' already");
    entries_.emplace_back(name, std::move(entry));
  }

  // Built-in names first, then the others in the order they were added.
  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const auto& [name, _] : entries()) list.push_back(name);
    return list;
  }

  std::vector<std::pair<std::string, T>> entries() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_;
  }

  T at(const std::string& name) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const T* found = find(name);
    if (found == nullptr) fail(what_, ": '", name, "' is unknown");
    return *found;
  }

 private:
  const T* find(const std::string& name) const {
    for (const auto& [known, entry] : entries_) {
      if (known == name) return &entry;
    }
    return nullptr;
  }

  const char* what_;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, T>> entries_;
};

}  // namespace geniepath
