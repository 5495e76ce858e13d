// An immutable array with shared ownership: it owns its memory, or is a view into memory kept alive by `owner` (a
// mapped file, a tensor). Copies share the elements.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geniepath/export.h"

namespace geniepath GENIEPATH_EXPORT {

template <class T>
class SharedArray {
 public:
  SharedArray() = default;

  SharedArray(std::vector<T> values) {  // NOLINT(google-explicit-constructor): a vector is the natural way to make one
    auto held = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = std::span<const T>(*held);
    owner_ = std::move(held);
  }

  SharedArray(std::span<const T> values, std::shared_ptr<const void> owner)
      : values_(values), owner_(std::move(owner)) {}

  const T* data() const { return values_.data(); }
  int64_t size() const { return static_cast<int64_t>(values_.size()); }
  bool empty() const { return values_.empty(); }
  const T& operator[](int64_t i) const { return values_[static_cast<size_t>(i)]; }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }
  std::span<const T> span() const { return values_; }
  std::span<const T> span(int64_t begin, int64_t end) const {
    return values_.subspan(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  }
  const std::shared_ptr<const void>& owner() const { return owner_; }

 private:
  std::span<const T> values_;
  std::shared_ptr<const void> owner_;
};

}  // namespace geniepath
