// Memory for large arrays: uninitialised, so that the threads that fill it also fault its pages in, and in huge pages
// where the system has them; in a temporary file where a memory limit leaves no room (memory_limit.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "geniepath/shared_array.h"

namespace geniepath {

std::shared_ptr<void> uninitialised_memory(size_t bytes);

template <class T>
class LargeArray {
  static_assert(std::is_trivial_v<T>);

 public:
  explicit LargeArray(int64_t size)
      : memory_(uninitialised_memory(static_cast<size_t>(size) * sizeof(T))), size_(static_cast<size_t>(size)) {}

  T* data() const { return static_cast<T*>(memory_.get()); }
  T& operator[](int64_t i) const { return data()[i]; }
  std::span<T> span() const { return {data(), size_}; }
  std::span<T> span(int64_t begin, int64_t end) const {
    return span().subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }
  SharedArray<T> share() const { return {std::span<const T>(data(), size_), memory_}; }
  SharedArray<T> share_first(int64_t count) const { return {std::span<const T>(span(0, count)), memory_}; }

 private:
  std::shared_ptr<void> memory_;
  size_t size_;
};

}  // namespace geniepath
