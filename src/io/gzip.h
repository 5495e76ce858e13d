// Text out of a gzip file, piece by piece. Where zlib is not there, a twin (no_zlib/) says so.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace geniepath {

// Whether a file that begins so is a gzip file.
inline bool is_gzip(std::string_view text) { return text.size() >= 2 && text[0] == '\x1f' && text[1] == '\x8b'; }

class GzipReader {
 public:
  static bool available();  // whether zlib was built in

  explicit GzipReader(const std::filesystem::path& path);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Fills up to `room` bytes and says how many; 0 at the end. A damaged or cut file is an Error.
  size_t read(char* into, size_t room);

 private:
  std::string where_;
  void* stream_;
};

// What a zlib stream (as in MATLAB files) holds; an Error where it is damaged or holds more than `most` bytes.
std::string inflate(std::string_view packed, size_t most, const std::string& where);

}  // namespace geniepath
