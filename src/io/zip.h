// Zip archives, members stored or deflated.
//   At the end of the file is a record that says where the central directory is; the directory lists for each member
//   its name, method, CRC, packed and unpacked size and where its local header is; name and padding follow that header,
//   then the member's bytes. Sizes are taken from the directory: writers may leave them out of the local headers.
// Members are read when asked for, so that one which holds something else does no harm. Refused: zip64, encryption,
// archives in several pieces, methods other than stored and deflated, a member said to unpack to more than deflate can do.
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
    uint64_t header = 0;                // where the local header begins
  };
  // A member's bytes, with what keeps them alive: null where they are a window into bytes that had no owner.
  struct Content {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
  };

  static ZipFile open(const std::filesystem::path& path);
  // With an owner that keeps `bytes` alive, stored members may be windows into them. Without, `bytes` must outlive the
  // ZipFile and what is read from it.
  static ZipFile parse(std::span<const std::byte> bytes, const std::string& where,
                       std::shared_ptr<const void> owner = nullptr);

  const std::string& where() const { return where_; }
  const std::map<std::string, Member>& members() const { return members_; }

  // The member's first bytes, `most` at the most: enough to see whether the rest is worth unpacking.
  std::vector<std::byte> start(const std::string& name, size_t most) const;
  // The whole member, its checksum compared.
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
