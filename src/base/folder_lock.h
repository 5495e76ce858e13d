// A folder that one process at a time writes into.
#pragma once

#include <filesystem>
#include <optional>

#include "base/descriptor.h"

namespace geniepath {

// Held as long as the object lives, and no longer than the process, however that ends. The file `.lock` in the folder says
// by whom; it stays.
class FolderLock {
 public:
  // An Error names the process that holds it. Where the file system has no locks, there is none to wait for.
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor file_;
};

// The lock of a folder that is there already; otherwise none.
std::optional<FolderLock> lock_where_there(const std::filesystem::path& folder);

}  // namespace geniepath
