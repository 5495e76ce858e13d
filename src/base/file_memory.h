// Memory whose pages are a temporary file's: the system writes them out where memory is short. For arrays that are
// larger than memory, written once in order.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

namespace geniepath {

// Zeroed. The file is in `folder`, without a name, and gone when unmapped or with the process. A FileError if its disk
// has no room for all of it.
void* map_file_memory(const std::filesystem::path& folder, size_t bytes);
void unmap_file_memory(void* data, size_t bytes);

// The same, unmapped with its last owner.
std::shared_ptr<void> file_memory(const std::filesystem::path& folder, size_t bytes);

}  // namespace geniepath
