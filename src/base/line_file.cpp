#include "base/line_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"

namespace geniepath {

LineFile::LineFile(const std::filesystem::path& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)) {
  if (!file_.is_open()) fail_on(path, "cannot write");
  size_ = ::lseek(file_.number(), 0, SEEK_END);
  flush_folder_to_disk(path.parent_path());
}

void LineFile::add(const std::string& line) {
  const std::string whole = line + "\n";
  try {
    write_all(file_, whole, path_);
  } catch (const FileError&) {
    if (::ftruncate(file_.number(), size_) != 0)
      return fail_on(path_, "cannot write, and cannot remove the partial line");
    throw;
  }
  size_ += static_cast<int64_t>(whole.size());
}

}  // namespace geniepath
