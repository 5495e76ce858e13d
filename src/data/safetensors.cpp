#include "data/safetensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kAlignment = 64;                // of the data section, so that mapped arrays are aligned
constexpr uint64_t kLongestHeader = 100u << 20;  // as the reference implementation

struct DtypeName {
  at::ScalarType type;
  const char* name;
};
constexpr DtypeName kDtypes[] = {{at::kDouble, "F64"}, {at::kFloat, "F32"}, {at::kBFloat16, "BF16"},
                                 {at::kLong, "I64"},   {at::kInt, "I32"},   {at::kByte, "U8"}};

at::ScalarType dtype_named(const std::string& name, const std::string& where) {
  for (const DtypeName& dtype : kDtypes) {
    if (name == dtype.name) return dtype.type;
  }
  fail(where, ": dtype '", name, "' is not one of F64, F32, BF16, I64, I32, U8");
}

const char* name_of(at::ScalarType type, const std::string& tensor) {
  for (const DtypeName& dtype : kDtypes) {
    if (type == dtype.type) return dtype.name;
  }
  fail("safetensors: tensor '", tensor, "' has dtype ", at::toString(type), ", which the file cannot hold");
}

Json parse_header(std::string_view text, const std::string& where) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": the header is not JSON: ", error.what());
  }
}

std::vector<int64_t> unsigned_list(const Json& entry, const char* key, const std::string& where) {
  if (!entry.is_object() || !entry.contains(key) || !entry[key].is_array()) fail(where, ": no list '", key, "'");
  std::vector<int64_t> values;
  for (const Json& item : entry[key]) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() > (uint64_t{1} << 62)) {
      fail(where, ": '", key, "' holds ", item.dump(), ", expected a size");
    }
    values.push_back(item.get<int64_t>());
  }
  return values;
}

// The byte count of shape x dtype, or an Error where it overflows, be it behind a 0.
int64_t bytes_of(const std::vector<int64_t>& shape, at::ScalarType type, const std::string& where) {
  auto bytes = static_cast<int64_t>(c10::elementSize(type));
  bool empty = false;
  for (const int64_t size : shape) {
    empty |= size == 0;
    if (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)) fail(where, ": the shape overflows");
  }
  return empty ? 0 : bytes;
}

at::Tensor read_tensor(const Json& entry, std::span<const std::byte> data, std::shared_ptr<const MappedFile> file,
                       const std::string& where) {
  const std::vector<int64_t> shape = unsigned_list(entry, "shape", where);
  const std::vector<int64_t> range = unsigned_list(entry, "data_offsets", where);
  if (!entry.contains("dtype") || !entry["dtype"].is_string()) fail(where, ": no dtype");
  const at::ScalarType type = dtype_named(entry["dtype"], where);
  const int64_t bytes = bytes_of(shape, type, where);
  if (range.size() != 2 || range[0] > range[1] || range[1] > static_cast<int64_t>(data.size())) {
    fail(where, ": data_offsets ", entry["data_offsets"].dump(), " do not lie in the file's ", data.size(),
         " data bytes");
  }
  if (range[1] - range[0] != bytes) {
    fail(where, ": ", range[1] - range[0], " bytes for a shape that takes ", bytes);
  }
  const std::byte* begin = data.data() + range[0];
  if (reinterpret_cast<uintptr_t>(begin) % c10::elementSize(type) != 0) {  // legal, but not to be read in place
    at::Tensor copy = at::empty(shape, type);
    std::memcpy(copy.data_ptr(), begin, static_cast<size_t>(bytes));
    return copy;
  }
  return at::from_blob(const_cast<std::byte*>(begin), shape, [file](void*) {}, at::TensorOptions(type));
}

}  // namespace

TensorFile read_safetensors(const std::filesystem::path& path) {
  const std::string where = path.string();
  const auto file = MappedFile::open(path);
  const auto bytes = file->bytes();
  uint64_t length = 0;
  if (bytes.size() < sizeof length) fail(where, ": ", bytes.size(), " bytes, too short for a safetensors file");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kLongestHeader || length > bytes.size() - sizeof length) {
    fail(where, ": the header is said to take ", length, " bytes, but the file has ", bytes.size());
  }
  const Json header = parse_header(file->text().substr(sizeof length, length), where);
  if (!header.is_object()) fail(where, ": the header is not a JSON object");
  const auto data = bytes.subspan(sizeof length + length);
  TensorFile result;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) fail(where, ": __metadata__ is not an object");
      for (const auto& [key, text] : entry.items()) {
        if (!text.is_string()) fail(where, ": metadata '", key, "' is not text");
        result.metadata[key] = text;
      }
    } else {
      result.tensors[name] = read_tensor(entry, data, file, where + ": tensor '" + name + "'");
    }
  }
  return result;
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  // Wide elements first, so that every array begins at a multiple of its element size.
  std::vector<std::pair<std::string, at::Tensor>> ordered(file.tensors.begin(), file.tensors.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a.second.element_size() > b.second.element_size();
  });
  int64_t offset = 0;
  for (auto& [name, tensor] : ordered) {
    tensor = tensor.detach().to(at::kCPU).contiguous();
    const auto bytes = static_cast<int64_t>(tensor.nbytes());
    header[name] = {{"dtype", name_of(tensor.scalar_type(), name)},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  text.append((kAlignment - (sizeof(uint64_t) + text.size()) % kAlignment) % kAlignment, ' ');
  const uint64_t length = text.size();
  write_atomically(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    for (const auto& [_, tensor] : ordered) {
      out.write(static_cast<const char*>(tensor.data_ptr()), static_cast<std::streamsize>(tensor.nbytes()));
    }
  });
}

}  // namespace geniepath
