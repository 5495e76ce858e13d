#include "io/npz.h"

#include "geniepath/error.h"
#include "io/npy.h"

namespace geniepath {
namespace {

constexpr size_t kHeaderBytes = 64 << 10;  // of a member, unpacked first to see its shape

}  // namespace

NpzFile NpzFile::open(const std::filesystem::path& path) { return NpzFile(ZipFile::open(path)); }

NpzFile NpzFile::parse(std::span<const std::byte> bytes, const std::string& where, std::shared_ptr<const void> owner) {
  return NpzFile(ZipFile::parse(bytes, where, std::move(owner)));
}

at::Tensor NpzFile::read(const std::string& name) const {
  const std::string member = name + ".npy", where = zip_.where() + ": " + member;
  const NpyHeader header = parse_npy_header(zip_.start(member, kHeaderBytes), where);
  const uint64_t said = zip_.members().at(member).unpacked;
  if (header.file_bytes() != said) {
    fail(where, ": said to unpack to ", said, " bytes, but its shape takes ", header.file_bytes());
  }
  const ZipFile::Content content = zip_.read(member);
  return parse_npy(content.bytes, where, content.owner);
}

ZipFile::Content NpzFile::read_object(const std::string& name) const {
  const std::string member = name + ".npy", where = zip_.where() + ": " + member;
  const size_t begin = parse_object_header(zip_.start(member, kHeaderBytes), where);
  const ZipFile::Content content = zip_.read(member);
  return {content.bytes.subspan(begin), content.owner};
}

}  // namespace geniepath
