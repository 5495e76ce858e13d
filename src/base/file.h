// Memory-mapped reading, and atomic writing: a file appears whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>

#include "geniepath/error.h"

namespace geniepath {

class Descriptor;

// A file or folder that cannot be opened, read or written; its contents are not at fault.
class FileError : public Error {
 public:
  using Error::Error;
};

// A file mapped read-only; unmapped when its last owner goes. An empty file maps to an empty span.
class MappedFile {
 public:
  static std::shared_ptr<const MappedFile> open(const std::filesystem::path& path);
  // An open file; errors name `path`.
  static std::shared_ptr<const MappedFile> of(const Descriptor& file, const std::filesystem::path& path);
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

// Writes to a temporary file beside `path` and renames it once everything is on disk: readers see the old file or the
// new one. If `write` throws, nothing is left behind; remains of killed writers of the same file are removed. A link
// stays and its target is replaced. A pipe, and this program's own output (- or /dev/stdout), are written to directly.
// A folder or device is a FileError.
void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

// Throws what write_atomically would throw for `path`, before any work is done.
void check_writable(const std::filesystem::path& path);

std::string read_text(const std::filesystem::path& path);

// Creates missing parents too; does nothing if the folder exists.
void make_folder(const std::filesystem::path& path);

// Does nothing if the file is missing.
void remove_file(const std::filesystem::path& path);

// Both must be on one file system; an existing `to` is replaced.
void move_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace geniepath
