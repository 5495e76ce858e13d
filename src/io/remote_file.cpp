#include <algorithm>
#include <system_error>

#include "io/download.h"
#include "io/sha256.h"

namespace geniepath {

bool is_published(const RemoteFile& file, const std::string& sha256) {
  return std::find(file.sha256.begin(), file.sha256.end(), sha256) != file.sha256.end();
}

bool is_right(const RemoteFile& file, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / file.name;
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return !error && size == static_cast<uintmax_t>(file.bytes) && is_published(file, sha256_of_file(path));
}

}  // namespace geniepath
