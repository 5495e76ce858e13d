// SHA-256 (FIPS 180-4), to check that a file is the published one.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace geniepath {

class Sha256 {
 public:
  void update(std::string_view bytes);
  std::string hex();  // 64 lowercase digits; ends the message

 private:
  void compress(const unsigned char* block);

  std::array<uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  size_t filled_ = 0;
  uint64_t length_ = 0;  // bytes
};

std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace geniepath
