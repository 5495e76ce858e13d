#include "io/zip.h"

#include <zlib.h>

#include <algorithm>

#include "base/file.h"
#include "geniepath/error.h"
#include "io/byte_reader.h"

namespace geniepath {
namespace {

constexpr uint32_t kEndMark = 0x06054b50, kDirectoryMark = 0x02014b50, kLocalMark = 0x04034b50;
constexpr size_t kEndBytes = 22, kLongestComment = 0xffff;
constexpr uint16_t kStored = 0, kDeflated = 8, kEncrypted = 1;
constexpr uint64_t kZip64 = 0xffffffff;
// A deflated byte expands to at most 1,032 (zlib's technical notes). Above kFreeBytes, which any machine can spare, a
// member must not be packed to less than a hundredth.
constexpr uint64_t kMostDeflate = 1032, kFreeBytes = uint64_t{1} << 30, kLargeRatio = 100;

// The end record is the last one whose comment reaches exactly to the end of the file.
size_t find_end_record(std::span<const std::byte> bytes, const std::string& where) {
  const size_t furthest = std::min(bytes.size(), kEndBytes + kLongestComment);
  ByteReader in(bytes, where);
  for (size_t back = kEndBytes; back <= furthest; ++back) {
    in.seek(bytes.size() - back);
    if (in.number<uint32_t>("a mark") != kEndMark) continue;
    in.seek(in.offset() + 16);
    if (in.number<uint16_t>("a comment's length") == back - kEndBytes) return bytes.size() - back;
  }
  fail(where, ": not a zip archive: the end record is missing from its ", bytes.size(), " bytes");
}

struct Directory {
  size_t begin = 0;
  uint16_t entries = 0;
};

Directory parse_end_record(std::span<const std::byte> bytes, const std::string& where) {
  const size_t record = find_end_record(bytes, where);
  ByteReader in(bytes, where, record + 4);
  const auto disk = in.number<uint16_t>("disk"), first_disk = in.number<uint16_t>("disk");
  const auto here = in.number<uint16_t>("entries"), entries = in.number<uint16_t>("entries");
  const auto size = in.number<uint32_t>("size"), begin = in.number<uint32_t>("begin");
  if (entries == 0xffff || size == kZip64 || begin == kZip64) in.complain("a zip64 archive, which is not supported");
  if (disk != 0 || first_disk != 0 || here != entries) in.complain("an archive in several pieces, expected one");
  if (uint64_t{begin} + size > record) {
    in.complain("the directory is said to end at byte ", uint64_t{begin} + size, ", but ends at ", record);
  }
  return {begin, entries};
}

std::pair<std::string, ZipFile::Member> parse_entry(ByteReader& in) {
  if (in.number<uint32_t>("a directory entry") != kDirectoryMark) in.complain("expected an entry of the directory");
  in.take(4, "versions");
  const auto flags = in.number<uint16_t>("flags");
  ZipFile::Member member;
  member.method = in.number<uint16_t>("method");
  in.take(4, "time");
  member.crc = in.number<uint32_t>("CRC");
  member.packed = in.number<uint32_t>("packed size");
  member.unpacked = in.number<uint32_t>("unpacked size");
  const auto name_length = in.number<uint16_t>("name length");
  const auto extra = in.number<uint16_t>("extra length"), comment = in.number<uint16_t>("comment length");
  in.take(8, "attributes");
  member.header = in.number<uint32_t>("local header");
  const std::string name(in.text(name_length, "a name"));
  in.take(size_t{extra} + comment, "extra and comment");
  if ((flags & kEncrypted) != 0) in.complain("member '", name, "' is encrypted");
  if (member.packed == kZip64 || member.unpacked == kZip64 || member.header == kZip64) {
    in.complain("member '", name, "' is zip64, which is not supported");
  }
  return {name, member};
}

void check_size(const ZipFile::Member& member, const std::string& where) {
  if (member.method == kStored) {
    if (member.packed != member.unpacked) {
      fail(where, ": stored, but of ", member.packed, " bytes packed and ", member.unpacked, " unpacked");
    }
  } else if (member.method == kDeflated) {
    if (member.unpacked > kMostDeflate * member.packed ||
        member.unpacked > std::max(kFreeBytes, kLargeRatio * member.packed)) {
      fail(where, ": said to unpack from ", member.packed, " to ", member.unpacked, " bytes: a zip bomb");
    }
  } else {
    fail(where, ": packed by method ", member.method, ", expected stored (0) or deflated (8)");
  }
}

// Unpacks exactly out.size() bytes; an Error if the stream has fewer, or, if `whole`, more.
void inflate_into(std::span<const std::byte> packed, std::span<std::byte> out, bool whole, const std::string& where) {
  z_stream stream{};
  if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail(where, ": zlib cannot start");
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());  // below 4 GiB, as zip64 is refused
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = ::inflate(&stream, Z_FINISH);
  const size_t made = stream.total_out, used = stream.total_in;
  ::inflateEnd(&stream);
  if (made == out.size() && (status == Z_STREAM_END || !whole)) return;
  if (made == out.size()) fail(where, ": unpacks to more than its ", out.size(), " bytes");
  fail(where, ": packed byte ", used, ": the deflated data is ", status == Z_DATA_ERROR ? "damaged" : "too short",
       ": ", made, " bytes of ", out.size());
}

void check_crc(std::span<const std::byte> bytes, uint32_t expected, const std::string& where) {
  const uLong found = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (found != expected) fail(where, ": the checksum is ", found, ", expected ", expected, ": the archive is damaged");
}

}  // namespace

ZipFile ZipFile::open(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  return parse(file->bytes(), path.string(), file);
}

ZipFile ZipFile::parse(std::span<const std::byte> bytes, const std::string& where, std::shared_ptr<const void> owner) {
  ZipFile file;
  file.bytes_ = bytes;
  file.where_ = where;
  file.owner_ = std::move(owner);
  const Directory directory = parse_end_record(bytes, where);
  ByteReader in(bytes, where, directory.begin);
  for (int i = 0; i < directory.entries; ++i) {
    const auto [name, member] = parse_entry(in);
    if (!file.members_.emplace(name, member).second) in.complain("member '", name, "' appears twice");
  }
  return file;
}

const ZipFile::Member& ZipFile::member(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) fail(where_, ": no member '", name, "'");
  check_size(found->second, where(name));
  return found->second;
}

std::span<const std::byte> ZipFile::packed_bytes(const std::string& name, const Member& member) const {
  ByteReader in(bytes_, where_, member.header);
  if (in.number<uint32_t>("a local header") != kLocalMark) in.complain("expected the local header of '", name, "'");
  in.take(22, "a local header");
  const auto name_length = in.number<uint16_t>("name length"), extra = in.number<uint16_t>("extra length");
  const std::string_view local_name = in.text(name_length, "a name");
  if (local_name != name) in.complain("member '", name, "' is called '", local_name, "' in its local header");
  in.take(extra, "extra");
  return in.take(member.packed, "a member");
}

std::vector<std::byte> ZipFile::start(const std::string& name, size_t most) const {
  const Member& found = member(name);
  const auto packed = packed_bytes(name, found);
  const size_t count = std::min<uint64_t>(most, found.unpacked);
  if (found.method == kStored) return {packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(count)};
  std::vector<std::byte> bytes(count);
  inflate_into(packed, bytes, false, where(name));
  return bytes;
}

ZipFile::Content ZipFile::read(const std::string& name) const {
  const Member& found = member(name);
  Content content{packed_bytes(name, found), owner_};
  if (found.method == kDeflated) {
    const std::shared_ptr<std::byte[]> whole = std::make_shared_for_overwrite<std::byte[]>(found.unpacked);
    inflate_into(content.bytes, {whole.get(), found.unpacked}, true, where(name));
    content = {{whole.get(), found.unpacked}, whole};
  }
  check_crc(content.bytes, found.crc, where(name));
  return content;
}

}  // namespace geniepath
