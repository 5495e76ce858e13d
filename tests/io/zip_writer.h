// Zip archives, and malformed ones: a test changes a member's field before the archive is assembled.
#pragma once

#include <zlib.h>

#include <string>
#include <vector>

#include "io/numpy_writer.h"

namespace geniepath::testing {

struct ZipMember {
  std::string name, packed;
  uint32_t unpacked = 0, crc = 0;
  uint16_t method = 0, flags = 0;
};

inline ZipMember stored(const std::string& name, const std::string& bytes) {
  const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return {name, bytes, static_cast<uint32_t>(bytes.size()), static_cast<uint32_t>(crc), 0, 0};
}

inline ZipMember deflated(const std::string& name, const std::string& bytes) {
  ZipMember member = stored(name, bytes);
  member.method = 8;
  member.packed.resize(::compressBound(bytes.size()) + 64);
  z_stream stream{};
  ::deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(member.packed.data());
  stream.avail_out = static_cast<uInt>(member.packed.size());
  ::deflate(&stream, Z_FINISH);
  member.packed.resize(stream.total_out);
  ::deflateEnd(&stream);
  return member;
}

// The local headers leave the sizes to the directory (0xffffffff), as NumPy's do.
inline std::string zip_file(const std::vector<ZipMember>& members, const std::string& comment = "") {
  std::string file, directory;
  for (const ZipMember& m : members) {
    const std::string method = raw(m.flags) + raw(m.method) + raw(uint32_t{0}) + raw(m.crc);
    const std::string length = raw(static_cast<uint16_t>(m.name.size()));
    directory += "PK\1\2" + raw(uint16_t{20}) + raw(uint16_t{20}) + method +
                 raw(static_cast<uint32_t>(m.packed.size())) + raw(m.unpacked) + length + raw(uint32_t{0}) +
                 std::string(8, '\0') + raw(static_cast<uint32_t>(file.size())) + m.name;
    file += "PK\3\4" + raw(uint16_t{45}) + method + std::string(8, '\xff') + length + raw(uint16_t{4}) + m.name +
            "\1\1" + std::string(2, '\0') + m.packed;
  }
  const auto count = raw(static_cast<uint16_t>(members.size()));
  return file + directory + "PK\5\6" + raw(uint32_t{0}) + count + count + raw(static_cast<uint32_t>(directory.size())) +
         raw(static_cast<uint32_t>(file.size())) + raw(static_cast<uint16_t>(comment.size())) + comment;
}

}  // namespace geniepath::testing
