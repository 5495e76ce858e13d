#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "base/file.h"

namespace geniepath {

void fail_on(const std::filesystem::path& path, const std::string& what, int problem) {
  throw FileError(path.string() + ": " + what + ": " + std::strerror(problem));
}

Descriptor::Descriptor(const std::filesystem::path& path, int flags)
    : number_(::open(path.c_str(), flags | O_CLOEXEC)) {
  if (number_ < 0) fail_on(path, "cannot open");
}

Descriptor::~Descriptor() {
  if (is_open()) ::close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (is_open()) ::close(number_);
  number_ = other.release();
  return *this;
}

int Descriptor::release() { return std::exchange(number_, -1); }

void write_all(const Descriptor& to, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on(path, "cannot write");
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

void flush_to_disk(const Descriptor& file, const std::filesystem::path& path) {
  // EINVAL: a file system without a disk.
  if (::fsync(file.number()) != 0 && errno != EINVAL) fail_on(path, "cannot be flushed to disk");
}

void flush_folder_to_disk(const std::filesystem::path& folder) {
  const std::filesystem::path named = folder.empty() ? "." : folder;
  const Descriptor opened(::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open()) return flush_to_disk(opened, named);
  if (errno != EACCES) fail_on(named, "cannot open");  // a folder may be writable but not readable
}

}  // namespace geniepath
