// NumPy's .npy: one array.
//   "\x93NUMPY", major and minor version (1.0, 2.0 or 3.0), the header's length (16 bits in 1.0, 32 bits after), the
//   header, then the elements. The header is a Python dictionary, padded with spaces and ended by a new line:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }
// Accepted: f2 f4 f8, i1 i2 i4 i8, u1, b1 as they are, u2 as int32, u4 as int64; column order becomes row order.
// Refused: big-endian, structured and object arrays, and a file longer or shorter than its shape.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace geniepath {

struct NpyHeader {
  std::string dtype;  // kind and width: "f4"
  bool fortran_order = false;
  std::vector<int64_t> shape;
  size_t data_begin = 0;  // where the elements begin
  size_t data_bytes = 0;  // size implied by the shape

  size_t file_bytes() const { return data_begin + data_bytes; }
};

// Parses only the header; `bytes` may end anywhere after it. file_bytes() does not overflow.
NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& where);

// The array, contiguous. Given an owner that keeps `bytes` alive, it may be a view of them: do not write to it.
at::Tensor parse_npy(std::span<const std::byte> bytes, const std::string& where,
                     std::shared_ptr<const void> owner = nullptr);

// Offset of the pickle in an array of one Python object (descr '|O', shape ()); it extends to the end of the file.
size_t parse_object_header(std::span<const std::byte> bytes, const std::string& where);

// Maps the file.
at::Tensor read_npy(const std::filesystem::path& path);

// Writes f32, f64, i32 or i64 in row order, version 1.0, atomically.
void write_npy(const std::filesystem::path& path, const at::Tensor& array);

}  // namespace geniepath
