// Files from their public homes, each checked against its published size and SHA-256 before it appears.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace geniepath {

struct RemoteFile {
  std::string name;  // path below the folder, and below a mirror: planetoid/ind.cora.x
  std::string url;   // http or https; empty: no public home of its own, only a mirror can have it
  int64_t bytes = 0;
  std::string sha256;
};

struct DownloadOptions {
  std::filesystem::path folder;
  std::string mirror;  // replaces everything before the file's own path: MIRROR/planetoid/ind.cora.x; empty: the url
  std::function<void(const RemoteFile&, int64_t done)> progress;  // bytes so far; an exception out of it stops
  int64_t stall_seconds = 30;  // without a byte, after which a transfer is given up
};

// Right files that are already there are left alone. What arrives goes to NAME.part and is renamed once it is right; an
// interrupted part is continued by the next call. A file that is not the published one is an Error and removed.
void download(const std::vector<RemoteFile>& files, const DownloadOptions& options);

// The file is there with the right size and SHA-256.
bool is_right(const RemoteFile& file, const std::filesystem::path& folder);

}  // namespace geniepath
