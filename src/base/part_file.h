// A file being written that appears whole, under its name, or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

#include "base/descriptor.h"
#include "base/file.h"

namespace geniepath {

// A temporary file beside `target`, locked for its lifetime: replaces the target on request, is removed otherwise. The
// constructor removes what killed writers of the same target left behind.
class PartFile {
 public:
  explicit PartFile(const std::filesystem::path& target);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const Descriptor& file() const { return file_; }

  // May be called by several threads at once.
  void write_at(size_t offset, std::span<const std::byte> bytes);
  // Maps what has been written so far; stays valid after take_place().
  std::shared_ptr<const MappedFile> map() const;

  // Flushes everything to disk, then replaces the target.
  void take_place();

 private:
  bool opened(int number);

  std::filesystem::path target_, path_;
  Descriptor file_;
};

}  // namespace geniepath
