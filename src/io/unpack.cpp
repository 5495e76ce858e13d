#include "io/unpack.h"

#include "base/file.h"
#include "geniepath/error.h"
#include "io/sha256.h"

namespace geniepath {
namespace {

namespace fs = std::filesystem;

std::string_view text_of(const ZipFile::Content& content) {
  return {reinterpret_cast<const char*>(content.bytes.data()), content.bytes.size()};
}

void check_names(const ZipFile& zip) {
  for (const auto& [name, _] : zip.members()) {
    const fs::path path(name);
    bool below = !name.empty() && path.is_relative() && name.find_first_of(std::string_view("\\\0", 2)) == name.npos;
    for (const fs::path& step : path) below = below && step != "..";
    if (!below) fail("member '", name, "' leads outside the archive");
  }
}

std::string member_for(const RemoteFile& file, const ZipFile& zip) {
  const fs::path wanted = fs::path(file.name).filename();
  std::string found;
  for (const auto& [name, _] : zip.members()) {
    if (fs::path(name).filename() != wanted) continue;
    if (!found.empty()) fail("both '", found, "' and '", name, "' are called ", wanted.string());
    found = name;
  }
  if (found.empty()) fail("no member is called ", wanted.string());
  return found;
}

// The size is checked before unpacking, so no member can unpack to more than was published.
ZipFile::Content read_member(const RemoteFile& file, const ZipFile& zip) {
  const std::string name = member_for(file, zip);
  const auto said = static_cast<int64_t>(zip.members().at(name).unpacked);
  if (said != file.bytes) fail("member '", name, "' has ", said, " bytes, expected ", file.bytes);
  const ZipFile::Content content = zip.read(name);
  Sha256 hash;
  hash.update(text_of(content));
  const std::string found = hash.hex();
  if (!is_published(file, found)) {
    fail("member '", name, "' has SHA-256 ", found, ", expected ", file.sha256.front());
  }
  return content;
}

}  // namespace

std::vector<ZipFile::Content> read_members(const fs::path& archive, const std::vector<RemoteFile>& files) {
  const ZipFile zip = ZipFile::open(archive);
  check_names(zip);
  std::vector<ZipFile::Content> contents;
  for (const RemoteFile& file : files) contents.push_back(read_member(file, zip));
  return contents;
}

void write_files(const std::vector<ZipFile::Content>& contents, const std::vector<RemoteFile>& files,
                 const fs::path& folder) {
  for (size_t f = 0; f < files.size(); ++f) {
    const fs::path path = folder / files[f].name;
    fs::create_directories(path.parent_path());
    write_atomically(path, [&](std::ostream& out) { out << text_of(contents[f]); });
  }
}

}  // namespace geniepath
