// Zip archives, members stored or deflated.
//   A record at the end of the file points to the central directory, which lists for each member its name, method, CRC,
//   packed and unpacked size and the place of its local header; name and padding follow that header, then the member's
//   bytes. Sizes are taken from the directory: writers may omit them from the local headers.
// Members are read on demand, so unrelated ones do no harm. Refused: zip64, encryption, archives in several pieces,
// methods other than stored and deflated, and members that claim to unpack to more than deflate can reach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace geniepath {

class ZipFile {
 public:
  struct Member {
    uint16_t method = 0;
    uint32_t crc = 0;
    uint64_t packed = 0, unpacked = 0;  // bytes
    uint64_t header = 0;                // offset of the local header
  };
  // A member's bytes and their owner, which is null where they are a view of bytes without an owner.
  struct Content {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };

  static ZipFile open(const std::filesystem::path& path);
  // Given an owner that keeps `bytes` alive, stored members may be views of them. Without, `bytes` must outlive the
  // ZipFile and everything read from it.
  static ZipFile parse(std::span<const std::byte> bytes, const std::string& where,
                       std::shared_ptr<const void> owner = nullptr);

  const std::string& where() const { return where_; }
  const std::map<std::string, Member>& members() const { return members_; }

  // The member's first bytes, at most `most`, to decide whether the rest is worth unpacking.
  std::vector<std::byte> start(const std::string& name, size_t most) const;
  // The whole member, with its checksum verified.
  Content read(const std::string& name) const;

 private:
  const Member& member(const std::string& name) const;
  std::string where(const std::string& name) const { return where_ + ": " + name; }
  std::span<const std::byte> packed_bytes(const std::string& name, const Member& member) const;

  std::span<const std::byte> bytes_;
  std::string where_;
  std::shared_ptr<const void> owner_;
  std::map<std::string, Member> members_;
};

}  // namespace geniepath
