// Cursor over the bytes of a file. Every read is checked against the end, and every error names the file and the byte:
// "cora.x: byte 12: expected 4 bytes (a length), but 2 are left".
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "geniepath/error.h"

namespace geniepath {

static_assert(std::endian::native == std::endian::little, "the formats read here are little-endian");

class ByteReader {
 public:
  ByteReader(std::span<const std::byte> bytes, std::string where, size_t offset = 0)
      : bytes_(bytes), where_(std::move(where)) {
    seek(offset);
  }

  size_t offset() const { return offset_; }
  size_t left() const { return bytes_.size() - offset_; }
  bool at_end() const { return left() == 0; }

  void seek(size_t offset) {
    if (offset > bytes_.size()) fail(where_, ": byte ", offset, " lies beyond the end, at ", bytes_.size());
    offset_ = offset;
  }

  std::span<const std::byte> take(size_t count, const char* what) {
    if (count > left()) complain("expected ", count, " bytes (", what, "), but ", left(), " are left");
    const auto taken = bytes_.subspan(offset_, count);
    offset_ += count;
    return taken;
  }

  std::string_view text(size_t count, const char* what) {
    const auto taken = take(count, what);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }

  template <class Number>
  Number number(const char* what) {
    static_assert(std::is_arithmetic_v<Number>);
    Number value;
    std::memcpy(&value, take(sizeof value, what).data(), sizeof value);
    return value;
  }

  // The remaining bytes as text; does not advance.
  std::string_view rest() const {
    return {reinterpret_cast<const char*>(bytes_.data()) + offset_, left()};
  }

  template <class... Pieces>
  [[noreturn]] void complain(const Pieces&... pieces) const {
    fail(where_, ": byte ", offset_, ": ", pieces...);
  }

 private:
  std::span<const std::byte> bytes_;
  std::string where_;
  size_t offset_ = 0;
};

}  // namespace geniepath
