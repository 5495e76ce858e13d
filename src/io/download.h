// Downloads of published files, each checked against its published size and SHA-256 before it appears.
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
  std::vector<std::string> sha256;  // any of these; none: not published, and `bytes` is an upper bound

  bool is_known() const { return !sha256.empty(); }
};

// A data set published as one zip archive, of which some members are wanted.
struct RemoteArchive {
  RemoteFile zip;
  std::vector<RemoteFile> files;  // the members wanted, found by file name in any folder of the archive
};

struct DownloadOptions {
  std::filesystem::path folder;
  std::string mirror;  // replaces everything before the file's own path: MIRROR/planetoid/ind.cora.x; empty: the url
  std::function<void(const RemoteFile&, int64_t done)> progress;  // bytes so far; an exception stops the download
  int64_t stall_seconds = 30;  // without a byte, after which a transfer is abandoned
};

// Correct files that exist are left alone. Others are downloaded to NAME.part and renamed once verified; an interrupted
// part is continued by the next call. A file that differs from the published one is removed and an Error.
void download(const std::vector<RemoteFile>& files, const DownloadOptions& options);

// Downloads the archive's files, unless all exist. The archive is continued like a file and not kept: all its members
// are checked, and only then the files appear, each whole. An archive that lacks a member, has an altered one or names
// a path outside its folder is removed and an Error.
void download_archive(const RemoteArchive& archive, const DownloadOptions& options);

// Whether this is one of the file's published SHA-256 hashes.
bool is_published(const RemoteFile& file, const std::string& sha256);

// Whether the file exists with the published size and SHA-256.
bool is_right(const RemoteFile& file, const std::filesystem::path& folder);

}  // namespace geniepath
