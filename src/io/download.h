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
  std::vector<std::string> sha256;  // any of these; none: not published, and `bytes` is the most there may be

  bool is_known() const { return !sha256.empty(); }
};

// Some publish a data set as one zip archive, of which we want some members.
struct RemoteArchive {
  RemoteFile zip;
  std::vector<RemoteFile> files;  // the members wanted, each found by its file name, in whatever folder of the archive
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

// The archive's files, unless all are there already. The archive itself is not kept: it is continued like a file, its
// members are checked one and all, and only then the files appear, each whole. One that lacks a member, has an altered one
// or names a path outside is an Error and removed.
void download_archive(const RemoteArchive& archive, const DownloadOptions& options);

// Whether this is one of the file's published SHA-256.
bool is_published(const RemoteFile& file, const std::string& sha256);

// The file is there with the right size and SHA-256.
bool is_right(const RemoteFile& file, const std::filesystem::path& folder);

}  // namespace geniepath
