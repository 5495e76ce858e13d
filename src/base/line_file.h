// A file that grows by whole lines.
#pragma once

#include <filesystem>
#include <string>

#include "base/descriptor.h"

namespace geniepath {

class LineFile {
 public:
  // Goes on with the file that is there, or begins one.
  explicit LineFile(const std::filesystem::path& path);

  // A FileError where the line cannot be written; none of it is then in the file.
  void add(const std::string& line);
  // The lines so far are on disk when it returns.
  void flush() const { flush_to_disk(file_, path_); }

 private:
  std::filesystem::path path_;
  Descriptor file_;
  int64_t size_ = 0;
};

}  // namespace geniepath
