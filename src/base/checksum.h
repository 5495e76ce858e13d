// Checksums against damage: flipped bits, swapped or missing pieces. They do not keep anyone from forging a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace geniepath {

// XXH64 (Collet, xxhash.com) with seed 0, over bytes added piece by piece: about as fast as memory is read. A change
// that keeps to one aligned word of 8 bytes always shows, any other unless by a chance of 2^-64.
class Checksum {
 public:
  static constexpr size_t kDigits = 16;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  uint64_t value() const;
  std::string hex() const;  // kDigits of them, lowercase

 private:
  static constexpr size_t kBlock = 32;

  std::array<uint64_t, 4> lanes_{0x60ea27eeadc0b5d6, 0xc2b2ae3d27d4eb4f, 0, 0x61c8864e7a143579};
  std::array<std::byte, kBlock> rest_{};  // bytes since the last whole block
  uint64_t length_ = 0;
};

// The text of a JSON file of ours: the object, and the checksum of what it holds as its last key.
std::string sealed_json(nlohmann::ordered_json object);
// The object again, without the checksum; an Error where it does not fit that. One without a checksum passes: older
// versions wrote none, and who changes a file by hand removes it.
nlohmann::ordered_json parse_sealed_json(std::string_view text, const std::string& where);

}  // namespace geniepath
