// A safetensors file assembled from parts, any of which may be wrong; its length and checksum are valid.
#pragma once

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/checksum.h"

namespace geniepath::fuzz {

struct BuiltTensor {
  std::string name, dtype;
  std::vector<int64_t> shape;
  std::string bytes;
  int64_t begin_off = 0, end_off = 0;  // error of the offsets
};

inline int64_t shifted(size_t place, int64_t by) { return static_cast<int64_t>(place + static_cast<uint64_t>(by)); }

inline std::string head_of(const nlohmann::ordered_json& header) {
  std::string text = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  text.append((64 - (8 + text.size()) % 64) % 64, ' ');
  const uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

inline std::string built_safetensors(const std::vector<BuiltTensor>& tensors, nlohmann::ordered_json metadata) {
  constexpr std::string_view kZeros = "0000000000000000";
  metadata["geniepath_checksum"] = "xxh64:" + std::string(kZeros);
  nlohmann::ordered_json header = {{"__metadata__", metadata}};
  std::string data;
  for (const BuiltTensor& tensor : tensors) {
    const int64_t begin = shifted(data.size(), tensor.begin_off);
    data += tensor.bytes;
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", tensor.shape},
                           {"data_offsets", {begin, shifted(data.size(), tensor.end_off)}}};
  }
  std::string file = head_of(header) + data;
  const size_t digits = file.find("xxh64:" + std::string(kZeros)) + 6;
  Checksum checksum;
  checksum.add(std::string_view(file).substr(0, digits));
  checksum.add(std::string_view(file).substr(digits + kZeros.size()));
  return file.replace(digits, kZeros.size(), checksum.hex());
}

}  // namespace geniepath::fuzz
