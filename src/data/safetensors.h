// Safetensors: an 8-byte little-endian header length, a JSON header, then the arrays' bytes.
//   {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
// Read through a mapping (arrays are windows into the file), checked against the file's length before anything is used.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>

namespace geniepath {

struct TensorFile {
  std::map<std::string, at::Tensor> tensors;       // F64, F32, BF16, I64, I32, U8
  std::map<std::string, std::string> metadata;
};

// The tensors share the mapped file: do not write into them.
TensorFile read_safetensors(const std::filesystem::path& path);

// Written beside and renamed: the old file or the new one is there, never half of one.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace geniepath
