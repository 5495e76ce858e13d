#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/descriptor.h"
#include "base/mapped_pages.h"

namespace geniepath {

namespace {

// Opens a file for reading. A pipe without a writer would wait for ever, and a device may never end.
Descriptor open_file(const std::filesystem::path& path) {
  Descriptor file(path, O_RDONLY | O_NONBLOCK);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail_on(path, "cannot open");
  if (!S_ISREG(status.st_mode)) fail(path.string(), ": expected a file, found a folder, pipe or device");
  return file;
}

}  // namespace

std::shared_ptr<const MappedFile> MappedFile::open(const std::filesystem::path& path) {
  return of(open_file(path), path);
}

std::shared_ptr<const MappedFile> MappedFile::of(const Descriptor& file, const std::filesystem::path& path) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail_on(path, "cannot open");
  const auto size = static_cast<size_t>(status.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (data == MAP_FAILED) fail_on(path, "cannot map " + std::to_string(size) + " bytes");
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

std::string read_text(const std::filesystem::path& path) {
  const Descriptor file = open_file(path);
  std::string text;
  char piece[1 << 16];
  for (;;) {
    const ssize_t size = ::read(file.number(), piece, sizeof piece);
    if (size == 0) return text;
    if (size < 0 && errno != EINTR) fail_on(path, "cannot read");
    if (size > 0) text.append(piece, static_cast<size_t>(size));
  }
}

void make_folder(const std::filesystem::path& path) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) return;
  const std::filesystem::path parent = path.parent_path();
  if (!parent.empty() && !std::filesystem::exists(parent, unknown)) make_folder(parent);
  if (!path.has_filename() && !parent.empty()) return;  // "a/": made as "a"
  if (::mkdir(path.c_str(), 0777) != 0 && !(errno == EEXIST && std::filesystem::is_directory(path, unknown))) {
    fail_on(path, "cannot create the folder");
  }
  flush_folder_to_disk(parent);
}

void remove_file(const std::filesystem::path& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) fail_on(path, "cannot remove");
}

void move_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail_on(to, "cannot rename " + from.string());
}

}  // namespace geniepath
