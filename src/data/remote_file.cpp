#include <system_error>

#include "data/download.h"
#include "data/sha256.h"

namespace geniepath {

bool is_right(const RemoteFile& file, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / file.name;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return !error && size == static_cast<uintmax_t>(file.bytes) && sha256_of_file(path) == file.sha256;
}

}  // namespace geniepath
