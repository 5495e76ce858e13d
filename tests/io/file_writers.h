// Small files of foreign formats, assembled by hand, so that readers are not tested against a library's writer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "io/numpy_writer.h"

namespace geniepath::testing {

// .npy, version 1.0. `shape` as Python writes it: "(2, 3)".
template <class T>
std::string npy(const std::string& descr, const std::string& shape, const std::vector<T>& values) {
  return npy_file("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", raw(values));
}

inline uint32_t crc32_of(std::string_view text) {
  uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

// gzip with stored blocks: nothing is compressed.
inline std::string gzip(std::string_view text) {
  std::string out("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", 10);
  std::string_view rest = text;
  do {
    const auto length = static_cast<uint16_t>(std::min<size_t>(rest.size(), 65535));
    out += rest.size() == length ? '\x01' : '\x00';
    out += raw(length) + raw(static_cast<uint16_t>(~length)) + std::string(rest.substr(0, length));
    rest.remove_prefix(length);
  } while (!rest.empty());
  return out + raw(crc32_of(text)) + raw(static_cast<uint32_t>(text.size()));
}

// One element of a MATLAB level 5 file, padded to 8 bytes.
inline std::string mat_element(uint32_t type, const std::string& data) {
  const std::string padding((8 - data.size() % 8) % 8, 0);
  return raw(type) + raw(static_cast<uint32_t>(data.size())) + data + padding;
}

// A sparse matrix of doubles: row indices and values by column, and the column pointers.
inline std::string mat_sparse(const std::string& name, int32_t rows, int32_t columns, const std::vector<int32_t>& row,
                              const std::vector<int32_t>& column_begin, const std::vector<double>& value) {
  enum : uint32_t { kInt8 = 1, kInt32 = 5, kUint32 = 6, kDouble = 9, kMatrix = 14, kSparseClass = 5 };
  return mat_element(
      kMatrix, mat_element(kUint32, raw<uint32_t>(kSparseClass) + raw(static_cast<uint32_t>(value.size()))) +
                   mat_element(kInt32, raw(rows) + raw(columns)) + mat_element(kInt8, name) +
                   mat_element(kInt32, raw(row)) + mat_element(kInt32, raw(column_begin)) +
                   mat_element(kDouble, raw(value)));
}

inline std::string mat_file(const std::string& elements) {
  std::string header = "MATLAB 5.0 MAT-file";
  header.resize(124, ' ');
  return header + std::string("\x00\x01IM", 4) + elements;
}

}  // namespace geniepath::testing
