// Extraction of files from an untrusted zip archive.
#pragma once

#include <filesystem>
#include <vector>

#include "io/download.h"
#include "io/zip.h"

namespace geniepath {

// The contents of the files, each from the member of the same file name. An Error where one is missing, repeated or not
// of its published size and SHA-256, or where any member of the archive, wanted or not, has a path that leads outside.
std::vector<ZipFile::Content> read_members(const std::filesystem::path& archive, const std::vector<RemoteFile>& files);

// Writes below `folder`, each file whole or not at all.
void write_files(const std::vector<ZipFile::Content>& contents, const std::vector<RemoteFile>& files,
                 const std::filesystem::path& folder);

}  // namespace geniepath
