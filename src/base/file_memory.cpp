#include "base/file_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "base/byte_size.h"
#include "base/descriptor.h"
#include "base/mapped_pages.h"

namespace geniepath {
namespace {

Descriptor nameless_file(const std::filesystem::path& folder) {
  const std::filesystem::path where = folder.empty() ? "." : folder;
  Descriptor file(::open(where.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.is_open()) return file;
  // On file systems without nameless files: a file whose name is removed at once.
  std::string name = (where / ".geniepath-XXXXXX").string();
  file = Descriptor(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) fail_on(folder, "cannot create a temporary file");
  ::unlink(name.c_str());
  return file;
}

}  // namespace

void* map_file_memory(const std::filesystem::path& folder, size_t bytes) {
  const Descriptor file = nameless_file(folder);
  const std::string what = "cannot hold " + bytes_text(static_cast<int64_t>(bytes)) + " in a temporary file";
  // Reserved now: a page without room on the disk later would be a SIGBUS.
  if (const int problem = ::posix_fallocate(file.number(), 0, static_cast<off_t>(bytes)); problem != 0)
    fail_on(folder, what, problem);
  void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (data == MAP_FAILED) fail_on(folder, what);
  note_mapped({static_cast<const std::byte*>(data), bytes}, "a temporary file in " + folder.string());
  return data;
}

void unmap_file_memory(void* data, size_t bytes) {
  note_unmapped({static_cast<const std::byte*>(data), bytes});
  ::munmap(data, bytes);
}

std::shared_ptr<void> file_memory(const std::filesystem::path& folder, size_t bytes) {
  if (bytes == 0) return nullptr;
  return {map_file_memory(folder, bytes), [bytes](void* mapped) { unmap_file_memory(mapped, bytes); }};
}

}  // namespace geniepath
