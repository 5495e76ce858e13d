// Checksums against damage (flipped bits, swapped or missing pieces), not against forgery.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace geniepath {

// XXH64 (Collet, xxhash.com) with seed 0, over bytes added piece by piece, at about the speed of reading memory. A
// change within one aligned 8-byte word is always detected, any other with probability 1 - 2^-64.
class Checksum {
 public:
  static constexpr size_t kDigits = 16;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  uint64_t value() const;
  std::string hex() const;  // kDigits lowercase digits

 private:
  static constexpr size_t kBlock = 32;

  std::array<uint64_t, 4> lanes_{0x60ea27eeadc0b5d6, 0xc2b2ae3d27d4eb4f, 0, 0x61c8864e7a143579};
  std::array<std::byte, kBlock> rest_{};  // bytes since the last whole block
  uint64_t length_ = 0;
};

// The text of one of our JSON files: the object, with the checksum of its contents as its last key.
std::string sealed_json(nlohmann::ordered_json object);
// The object without the checksum; an Error where the two do not match. A text without a checksum passes: older
// versions wrote none, and editing a file by hand means removing it.
nlohmann::ordered_json parse_sealed_json(std::string_view text, const std::string& where);

}  // namespace geniepath
