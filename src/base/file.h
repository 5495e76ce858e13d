// Files read whole by mapping them, and files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>

#include "geniepath/error.h"

namespace geniepath {

// A file or folder that cannot be opened, read or written: the fault of the place, not of what the file holds.
class FileError : public Error {
 public:
  using Error::Error;
};

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
// Where `write` throws, nothing is left behind; what a killed process left behind of the same file is removed.
// Of a link, the file it leads to is replaced. A pipe and this program's own output (/dev/stdout) take the bytes as they
// come. A folder or device is a FileError.
void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// What write_atomically would refuse is refused here, before any work is done for it.
void check_writable(const std::filesystem::path& path);

std::string read_text(const std::filesystem::path& path);

// With the folders above it. No complaint where it is there already.
void make_folder(const std::filesystem::path& path);

// No complaint where it is not there.
void remove_file(const std::filesystem::path& path);

// Both within one file system; a file that is there already is replaced.
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace geniepath
