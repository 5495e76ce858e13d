// Safetensors: an 8-byte little-endian header length, a JSON header, then the arrays' bytes.
//   {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...}
// Read through a mapping (arrays are windows into the file), checked against the file's length before anything is used.
// What we write holds its own checksum, "geniepath_checksum": "xxh64:<16 digits>" among the metadata, of all bytes but
// these digits. Other readers take it for a remark; files of other programs, which have none, are read unchecked.
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

enum class Checksums { kVerify, kSkip };

// The tensors share the mapped file: do not write into them. A file that does not fit its checksum is an Error.
TensorFile read_safetensors(const std::filesystem::path& path, Checksums checksums = Checksums::kVerify);

// The same for what a model or a transform learned: numbers that are NaN or infinite are an Error.
TensorFile read_learned(const std::filesystem::path& path);
// An Error names `where` and the first tensor with a number that is NaN or infinite.
void check_tensors_finite(const std::map<std::string, at::Tensor>& tensors, const std::string& where);

// Written beside and renamed: the old file or the new one is there, never half of one.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace geniepath
