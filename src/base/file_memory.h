// Memory whose pages are a temporary file's: the system writes them out where memory is short. For arrays that are larger
// than memory, written once in order.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

namespace geniepath {

// Zeroed. The file is in `folder`, without a name, and gone with its last owner or the process. A FileError if its disk has
// no room for all of it.
std::shared_ptr<void> file_memory(const std::filesystem::path& folder, size_t bytes);

}  // namespace geniepath
