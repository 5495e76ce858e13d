#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/descriptor.h"
#include "base/file.h"
#include "base/part_file.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPart = ".part";

// ---- what a path leads to

bool is_standard_output(const struct stat& status) {
  struct stat ours {};
  return ::fstat(STDOUT_FILENO, &ours) == 0 && ours.st_dev == status.st_dev && ours.st_ino == status.st_ino;
}

fs::path end_of_links(fs::path path) {
  std::error_code unknown;
  while (fs::is_symlink(fs::symlink_status(path, unknown))) path = path.parent_path() / fs::read_symlink(path);
  return path;
}

struct Target {
  fs::path file;      // to be replaced; links are resolved
  Descriptor stream;  // if open, the bytes go here instead
};

Target target_of(const fs::path& path) {
  if (path == "-") return target_of("/dev/stdout");
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail_on(path, "cannot write");
    return {end_of_links(path), {}};
  }
  if (is_standard_output(status)) return {{}, Descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0))};
  if (S_ISFIFO(status.st_mode)) return {{}, Descriptor(path, O_WRONLY)};
  if (S_ISDIR(status.st_mode)) throw FileError(path.string() + ": is a folder; name a file in it");
  if (!S_ISREG(status.st_mode))
    throw FileError(path.string() + ": is a device; expected a file, a pipe or /dev/stdout");
  return {end_of_links(path), {}};
}

// ---- temporary files

// Whether `name` is one of our temporary files for `target`: its name, ".part", digits and points.
bool is_part_of(const std::string& name, const std::string& target) {
  const std::string start = target + kPart;
  return name.size() > start.size() && name.rfind(start, 0) == 0 &&
         name.find_first_not_of("0123456789.", start.size()) == std::string::npos;
}

// Whether the path still leads to the file; its writer may have renamed it.
bool is_at(const Descriptor& file, const fs::path& path) {
  struct stat opened {}, there {};
  return ::fstat(file.number(), &opened) == 0 && ::stat(path.c_str(), &there) == 0 && opened.st_dev == there.st_dev &&
         opened.st_ino == there.st_ino;
}

// A writer locks its part, so one that can be locked was left by a killed process.
void remove_abandoned_parts(const fs::path& target) {
  std::error_code unreadable;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    if (!is_part_of(entry.path().filename().string(), target.filename().string())) continue;
    const Descriptor part(::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!part.is_open() || ::flock(part.number(), LOCK_EX | LOCK_NB) != 0) continue;
    if (is_at(part, entry.path())) ::unlink(entry.path().c_str());
  }
}

// ---- a stream into a descriptor

// A failing write throws a FileError, which the stream passes on.
class DescriptorBuffer : public std::streambuf {
 public:
  DescriptorBuffer(const Descriptor& to, const fs::path& path) : to_(to), path_(path) {
    setp(bytes_, std::end(bytes_));
  }

 protected:
  int sync() override {
    write_all(to_, {pbase(), static_cast<size_t>(pptr() - pbase())}, path_);
    setp(bytes_, std::end(bytes_));
    return 0;
  }

  int_type overflow(int_type next) override {
    sync();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }

  std::streamsize xsputn(const char* from, std::streamsize size) override {
    if (size > epptr() - pptr()) sync();
    if (size > epptr() - pptr()) {
      write_all(to_, {from, static_cast<size_t>(size)}, path_);
    } else if (size > 0) {  // `from` may be null otherwise
      std::memcpy(pptr(), from, static_cast<size_t>(size));
      pbump(static_cast<int>(size));
    }
    return size;
  }

 private:
  const Descriptor& to_;
  const fs::path& path_;
  char bytes_[1 << 16];
};

void write_into(const Descriptor& to, const fs::path& path, const std::function<void(std::ostream&)>& write) {
  DescriptorBuffer buffer(to, path);
  std::ostream out(&buffer);
  out.exceptions(std::ios::badbit);
  write(out);
  out.flush();
}

}  // namespace

// ---- the file beside the target

PartFile::PartFile(const fs::path& target) : target_(target) {
  remove_abandoned_parts(target);
  for (int number = 0; !opened(number); ++number) {
  }
}

PartFile::~PartFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

// False if the name is taken, by another thread or by a process of the same number on another machine, or if the file
// was removed as abandoned before it was locked.
bool PartFile::opened(int number) {
  constexpr int kMostNames = 1000;
  fs::path path = target_;
  path += kPart + std::to_string(::getpid()) + (number == 0 ? "" : "." + std::to_string(number));
  file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file_.is_open() && errno == EEXIST && number < kMostNames) return false;
  if (!file_.is_open()) fail_on(target_, "cannot write");
  // On file systems without locks, nothing is ever taken for abandoned.
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  if (!is_at(file_, path)) return false;
  path_ = std::move(path);
  return true;
}

void PartFile::write_at(size_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_on(target_, "cannot write");
    bytes = bytes.subspan(static_cast<size_t>(written));
    offset += static_cast<size_t>(written);
  }
}

std::shared_ptr<const MappedFile> PartFile::map() const { return MappedFile::of(file_, target_); }

void PartFile::take_place() {
  flush_to_disk(file_, target_);
  if (::rename(path_.c_str(), target_.c_str()) != 0) fail_on(target_, "cannot be replaced");
  path_.clear();
  flush_folder_to_disk(target_.parent_path());
}

// ---- files written by a stream

void write_atomically(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const Target target = target_of(path);
  if (target.stream.is_open()) return write_into(target.stream, path, write);
  PartFile part(target.file);
  write_into(part.file(), path, write);
  part.take_place();
}

void check_writable(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode)) return;  // opening it would wait for a reader
  const Target target = target_of(path);
  if (!target.stream.is_open()) PartFile{target.file};
}

}  // namespace geniepath
