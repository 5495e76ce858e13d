#include "base/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <ctime>

#include "base/file.h"

namespace geniepath {
namespace {

// "process 4711 on HOST since 2019-01-27 09:30:00 UTC"
std::string this_process() {
  char host[256] = "", time[64] = "";
  ::gethostname(host, sizeof host - 1);
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::strftime(time, sizeof time, "%F %T UTC", ::gmtime_r(&now, &parts));
  return "process " + std::to_string(::getpid()) + " on " + host + " since " + time;
}

// The line may be missing: its holder has not written it yet, or the disk was full.
std::string holder(const std::filesystem::path& path) {
  const std::string line = read_text(path);
  return line.empty() ? "another process" : line.substr(0, line.find('\n'));
}

}  // namespace

FolderLock::FolderLock(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / ".lock";
  file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!file_.is_open()) fail_on(path, "cannot write");
  if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return;
    throw FileError(folder.string() + ": in use by " + holder(path) + "; wait for it to end, or choose another folder");
  }
  if (::ftruncate(file_.number(), 0) != 0) fail_on(path, "cannot write");
  write_all(file_, this_process() + "\n", path);
}

std::optional<FolderLock> lock_where_there(const std::filesystem::path& folder) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(folder, unknown)) return std::nullopt;
  return FolderLock(folder);
}

}  // namespace geniepath
