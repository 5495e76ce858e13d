// Safetensors: an 8-byte little-endian header length, a JSON header, then the arrays' bytes.
//   {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
// The file is mapped and arrays are views of it; everything is checked against the file's length before use.
// Our files carry a checksum of all bytes but its own digits, "geniepath_checksum": "xxh64:<16 digits>" in the
// metadata. Other readers ignore it; files of other programs, which have none, are read unchecked.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/part_file.h"

namespace geniepath {

struct TensorFile {
  std::map<std::string, at::Tensor> tensors;       // F64, F32, BF16, I64, I32, U8
  std::map<std::string, std::string> metadata;
};

enum class Checksums { kVerify, kSkip };

// The tensors share the mapped file: do not write to them. A checksum that does not match is an Error.
TensorFile read_safetensors(const std::filesystem::path& path, Checksums checksums = Checksums::kVerify);

// The same for learned weights and transforms: NaN and infinite numbers are an Error.
TensorFile read_learned(const std::filesystem::path& path);
// Throws an Error that names `where` and the first tensor with a NaN or infinite number.
void check_tensors_finite(const std::map<std::string, at::Tensor>& tensors, const std::string& where);

// The digits of the checksum that a file of ours was written with; empty for other programs' files. Reads the header
// alone.
std::string written_checksum(const std::filesystem::path& path);

// Written atomically: readers find the old file or the new one.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

struct ArrayShape {
  at::ScalarType type = at::kFloat;
  std::vector<int64_t> sizes;
};

std::map<std::string, ArrayShape> shapes_of(const std::map<std::string, at::Tensor>& tensors);

// A file whose arrays are written in pieces, in any order and by several threads, and which can be read before it has
// its name. The same bytes as write_safetensors().
class SafetensorsWriter {
 public:
  SafetensorsWriter(const std::filesystem::path& path, const std::map<std::string, std::string>& metadata,
                    const std::map<std::string, ArrayShape>& arrays);

  // Bytes of an array, from `offset` on. Every byte of every array must have been written before the calls below.
  void write(const std::string& array, size_t offset, std::span<const std::byte> bytes);
  // Views of the mapped file.
  TensorFile read() const;
  // Adds the checksum and waits until all is on disk.
  void seal();
  // The file appears under its name; without this call, it vanishes with the writer.
  void take_place();

 private:
  std::string where_;
  PartFile part_;
  std::map<std::string, size_t> begin_;  // of each array, in the file
};

}  // namespace geniepath
