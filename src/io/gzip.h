// Streaming gzip reader. Where zlib is missing, a twin (no_zlib/) throws.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace geniepath {

// Whether the text begins with gzip's magic bytes.
inline bool is_gzip(std::string_view text) { return text.size() >= 2 && text[0] == '\x1f' && text[1] == '\x8b'; }

class GzipReader {
 public:
  static bool available();  // whether zlib was built in

  explicit GzipReader(const std::filesystem::path& path);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Reads up to `room` bytes and returns how many; 0 at the end. A damaged or truncated file is an Error.
  size_t read(char* into, size_t room);

 private:
  std::string where_;
  void* stream_;
};

// Inflates a zlib stream (as in MATLAB files); an Error where it is damaged or inflates to more than `most` bytes.
std::string inflate(std::string_view packed, size_t most, const std::string& where);

}  // namespace geniepath
