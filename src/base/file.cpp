#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/mapped_pages.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC)) {
    if (number_ < 0) fail(path.string(), ": cannot open: ", std::strerror(errno));
  }
  ~Descriptor() { ::close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

void flush_to_disk(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY);
  ::fsync(file.number());
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail(path.string(), ": ", std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(path.string(), ": expected a file, found a folder or device");
  const auto size = static_cast<size_t>(status.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (data == MAP_FAILED) fail(path.string(), ": cannot map ", size, " bytes: ", std::strerror(errno));
  }
  std::shared_ptr<const MappedFile> mapped(new MappedFile(static_cast<const std::byte*>(data), size));
  if (size > 0) note_mapped(mapped->bytes(), path.string());
  return mapped;
}

MappedFile::~MappedFile() {
  if (size_ == 0) return;
  note_unmapped(bytes());
  ::munmap(const_cast<std::byte*>(data_), size_);
}

void write_atomically(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  std::filesystem::path part = path;
  part += ".part" + std::to_string(::getpid());
  try {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    if (!out) fail(path.string(), ": cannot write: ", std::strerror(errno));
    write(out);
    out.close();
    if (!out) fail(path.string(), ": cannot write: ", std::strerror(errno));
    flush_to_disk(part);
    std::filesystem::rename(part, path);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw;
  }
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path.string(), ": cannot open: ", std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace geniepath
