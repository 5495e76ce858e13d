// NumPy's .npz: a zip archive whose members are .npy files, stored or deflated.
//   At the end of the file is a record that says where the central directory is; the directory lists for each member
//   its name, method, CRC, packed and unpacked size and where its local header is; name and padding follow that header,
//   then the member's bytes. Sizes are taken from the directory: NumPy leaves them out of the local headers.
// Members are read when asked for, so that one which holds something else does no harm. Before a member is unpacked,
// its size has been checked against what deflate can do and against its own .npy header. Refused: zip64, encryption,
// archives in several pieces, methods other than stored and deflated.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace geniepath {

class NpzFile {
 public:
  static NpzFile open(const std::filesystem::path& path);
  // With an owner that keeps `bytes` alive, arrays may be windows into them. Without, `bytes` must outlive the NpzFile.
  static NpzFile parse(std::span<const std::byte> bytes, const std::string& where,
                       std::shared_ptr<const void> owner = nullptr);

  // By name, without ".npy".
  bool contains(const std::string& name) const { return members_.count(name) != 0; }
  at::Tensor read(const std::string& name) const;

  struct Member {
    uint16_t method = 0;
    uint32_t crc = 0;
    uint64_t packed = 0, unpacked = 0;  // bytes
    uint64_t header = 0;                // where the local header begins
  };
  const std::map<std::string, Member>& members() const { return members_; }

 private:
  std::span<const std::byte> packed_bytes(const std::string& name, const Member& member) const;

  std::span<const std::byte> bytes_;
  std::string where_;
  std::shared_ptr<const void> owner_;
  std::map<std::string, Member> members_;
};

}  // namespace geniepath
