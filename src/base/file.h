// Files read whole by mapping them, and files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>

namespace geniepath {

// A file mapped read-only; unmapped with the last holder. An empty file maps to an empty span.
class MappedFile {
 public:
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  MappedFile(const std::byte* data, size_t size) : data_(data), size_(size) {}
  const std::byte* data_;
  size_t size_;
};

// Writes beside `path` and renames over it once everything is on disk: readers see the old file or the new one.
// Where `write` throws, nothing is left behind.
void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

std::string read_text(const std::filesystem::path& path);

}  // namespace geniepath
