// Exclusive lock of a folder against other writing processes.
#pragma once

#include <filesystem>
#include <optional>

#include "base/descriptor.h"

namespace geniepath {

// Held for the object's lifetime and released when the process ends, however it ends. The file `.lock` in the folder
// names the holder; it is never removed.
class FolderLock {
 public:
  // Throws an Error that names the holding process. Succeeds where the file system has no locks.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor file_;
};

// Locks the folder if it exists; otherwise returns none.
std::optional<FolderLock> lock_where_there(const std::filesystem::path& folder);

}  // namespace geniepath
