// Append-only file of whole lines.
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace geniepath {

class LineFile {
 public:
  // Appends to an existing file, or creates one.
  explicit LineFile(const std::filesystem::path& path);

  // Throws a FileError if the line cannot be written; none of it is then in the file.
  void add(const std::string& line);
  // Returns once all lines so far are on disk.
  void flush() const { flush_to_disk(file_, path_); }

 private:
  std::filesystem::path path_;
  Descriptor file_;
  int64_t size_ = 0;
};

}  // namespace geniepath
