#include "io/safetensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/descriptor.h"
#include "base/file.h"
#include "base/json_text.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

using JsonByKey = nlohmann::json;  // finds one of very many keys quickly

constexpr const char* kMetadata = "__metadata__";
constexpr const char* kChecksumKey = "geniepath_checksum";
constexpr std::string_view kBeforeChecksum = R"("geniepath_checksum":")";
constexpr std::string_view kBeforeDigits = R"("geniepath_checksum":"xxh64:)";  // in a header that we wrote
constexpr size_t kAlignment = 64;                // of the data section, so that mapped arrays are aligned
constexpr uint64_t kLongestHeader = 100u << 20;  // as in the reference implementation

struct DtypeName {
  at::ScalarType type;
  const char* name;
};
constexpr DtypeName kDtypeNames[] = {{at::kDouble, "F64"}, {at::kFloat, "F32"}, {at::kBFloat16, "BF16"},
                                     {at::kLong, "I64"},   {at::kInt, "I32"},   {at::kByte, "U8"}};

at::ScalarType dtype_named(const std::string& name, const std::string& where) {
  for (const DtypeName& dtype : kDtypeNames) {
    if (name == dtype.name) return dtype.type;
  }
  fail(where, ": dtype '", name, "' is not one of F64, F32, BF16, I64, I32, U8");
}

const char* name_of(at::ScalarType type, const std::string& tensor) {
  for (const DtypeName& dtype : kDtypeNames) {
    if (type == dtype.type) return dtype.name;
  }
  fail("safetensors: tensor '", tensor, "' has dtype ", at::toString(type), ", which the file cannot hold");
}

std::vector<int64_t> unsigned_list(const JsonByKey& entry, const char* key, const std::string& where) {
  if (!entry.is_object() || !entry.contains(key) || !entry[key].is_array()) fail(where, ": no list '", key, "'");
  std::vector<int64_t> values;
  for (const JsonByKey& item : entry[key]) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() > (uint64_t{1} << 62)) {
      fail(where, ": '", key, "' holds ", item.dump(), ", expected a size");
    }
    values.push_back(item.get<int64_t>());
  }
  return values;
}

// The byte count of shape x dtype; an Error where it overflows, even with a 0 among the sizes.
int64_t bytes_of(const std::vector<int64_t>& shape, at::ScalarType type, const std::string& where) {
  auto bytes = static_cast<int64_t>(c10::elementSize(type));
  bool empty = false;
  for (const int64_t size : shape) {
    empty |= size == 0;
    if (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)) fail(where, ": the shape overflows");
  }
  return empty ? 0 : bytes;
}

at::Tensor read_tensor(const JsonByKey& entry, std::span<const std::byte> data, std::shared_ptr<const MappedFile> file,
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
  if (reinterpret_cast<uintptr_t>(begin) % c10::elementSize(type) != 0) {  // legal, but must be copied to be read
    at::Tensor copy = at::empty(shape, type);
    std::copy_n(begin, bytes, static_cast<std::byte*>(copy.data_ptr()));
    return copy;
  }
  return at::from_blob(const_cast<std::byte*>(begin), shape, [file](void*) {}, at::TensorOptions(type));
}

struct Parts {
  std::string_view header;
  std::span<const std::byte> data;
};

Parts parts_of(const MappedFile& file, const std::string& where) {
  const auto bytes = file.bytes();
  uint64_t length = 0;
  if (bytes.size() < sizeof length) fail(where, ": ", bytes.size(), " bytes, too short for a safetensors file");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kLongestHeader || length > bytes.size() - sizeof length) {
    fail(where, ": the header is said to take ", length, " bytes, but the file has ", bytes.size());
  }
  return {file.text().substr(sizeof length, length), bytes.subspan(sizeof length + length)};
}

// Offset of the checksum's digits, or npos. No string within the header can imitate the key, since its quotes are
// escaped.
size_t digits_in(std::string_view header) {
  const size_t key = header.find(kBeforeDigits);
  return key == std::string_view::npos ? key : key + kBeforeDigits.size();
}

// The checksum of all bytes but its own digits, which the header must have.
std::string checksum_of(const MappedFile& file, std::string_view header) {
  const std::string_view text = file.text();
  const size_t digits = sizeof(uint64_t) + digits_in(header);
  Checksum checksum;
  checksum.add(text.substr(0, digits));
  checksum.add(text.substr(std::min(digits + Checksum::kDigits, text.size())));
  return checksum.hex();
}

void verify(const MappedFile& file, std::string_view header, const std::string& where) {
  if (digits_in(header) == std::string_view::npos) {
    if (header.find(kBeforeChecksum) == std::string_view::npos) return;
    fail(where, ": damaged, or of a newer geniepath: its checksum is of an unknown kind, expected xxh64");
  }
  const std::string_view said = header.substr(digits_in(header), Checksum::kDigits);
  const std::string found = checksum_of(file, header);
  if (said != found) fail(where, ": damaged: its bytes have the checksum ", found, ", but it was written with ", said);
}

std::map<std::string, std::string> read_metadata(const JsonByKey& entry, const std::string& where) {
  if (!entry.is_object()) fail(where, ": ", kMetadata, " is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, text] : entry.items()) {
    if (!text.is_string()) fail(where, ": metadata '", key, "' is not text");
    if (key != kChecksumKey) metadata[key] = text;
  }
  return metadata;
}

// Sorted by element size, widest first, so that every array is aligned to its elements.
std::vector<std::pair<std::string, ArrayShape>> in_file_order(const std::map<std::string, ArrayShape>& arrays) {
  std::vector<std::pair<std::string, ArrayShape>> ordered(arrays.begin(), arrays.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return c10::elementSize(a.second.type) > c10::elementSize(b.second.type);
  });
  return ordered;
}

std::string_view content_of(const at::Tensor& tensor) {
  return {static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()};
}

// The file up to its data: the header's length and the header, with room for the checksum's digits.
std::string make_head(const std::map<std::string, std::string>& metadata,
                      const std::vector<std::pair<std::string, ArrayShape>>& arrays) {
  nlohmann::ordered_json header = {{kMetadata, metadata}};
  header[kMetadata][kChecksumKey] = "xxh64:" + std::string(Checksum::kDigits, '0');
  int64_t offset = 0;
  for (const auto& [name, array] : arrays) {
    const int64_t bytes = bytes_of(array.sizes, array.type, name);
    header[name] = {{"dtype", name_of(array.type, name)},
                    {"shape", array.sizes},
                    {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  text.append((kAlignment - (sizeof(uint64_t) + text.size()) % kAlignment) % kAlignment, ' ');
  const uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

TensorFile read_mapped(const std::shared_ptr<const MappedFile>& file, Checksums checksums, const std::string& where) {
  const Parts parts = parts_of(*file, where);
  if (checksums == Checksums::kVerify) verify(*file, parts.header, where);
  const auto header = parse_json<JsonByKey>(parts.header, where + ": the header");
  if (!header.is_object()) fail(where, ": the header is not a JSON object");
  TensorFile result;
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata) {
      result.metadata = read_metadata(entry, where);
    } else {
      result.tensors[name] = read_tensor(entry, parts.data, file, where + ": tensor '" + name + "'");
    }
  }
  return result;
}

}  // namespace

TensorFile read_safetensors(const std::filesystem::path& path, Checksums checksums) {
  return read_mapped(MappedFile::open(path), checksums, path.string());
}

TensorFile read_learned(const std::filesystem::path& path) {
  TensorFile file = read_safetensors(path);
  check_tensors_finite(file.tensors, path.string());
  return file;
}

std::string written_checksum(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  const std::string_view header = parts_of(*file, path.string()).header;
  const size_t digits = digits_in(header);
  return digits == std::string_view::npos ? "" : std::string(header.substr(digits, Checksum::kDigits));
}

void check_tensors_finite(const std::map<std::string, at::Tensor>& tensors, const std::string& where) {
  for (const auto& [name, tensor] : tensors) {
    if (!tensor.isfinite().all().item<bool>()) {
      fail(where, ": tensor '", name, "' holds numbers that are NaN or infinite");
    }
  }
}

std::map<std::string, ArrayShape> shapes_of(const std::map<std::string, at::Tensor>& tensors) {
  std::map<std::string, ArrayShape> shapes;
  for (const auto& [name, tensor] : tensors) shapes[name] = {tensor.scalar_type(), tensor.sizes().vec()};
  return shapes;
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  const auto arrays = in_file_order(shapes_of(file.tensors));
  std::vector<at::Tensor> tensors;
  for (const auto& [name, _] : arrays) tensors.push_back(file.tensors.at(name).detach().to(at::kCPU).contiguous());
  std::string head = make_head(file.metadata, arrays);
  const size_t digits = digits_in(head);
  Checksum checksum;
  checksum.add(std::string_view(head).substr(0, digits));
  checksum.add(std::string_view(head).substr(digits + Checksum::kDigits));
  for (const at::Tensor& tensor : tensors) checksum.add(content_of(tensor));
  head.replace(digits, Checksum::kDigits, checksum.hex());
  write_atomically(path, [&](std::ostream& out) {
    out << head;
    for (const at::Tensor& tensor : tensors) out << content_of(tensor);
  });
}

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& path,
                                     const std::map<std::string, std::string>& metadata,
                                     const std::map<std::string, ArrayShape>& arrays)
    : where_(path.string()), part_(path) {
  const auto ordered = in_file_order(arrays);
  const std::string head = make_head(metadata, ordered);
  part_.write_at(0, std::as_bytes(std::span(head)));
  size_t begin = head.size();
  for (const auto& [name, array] : ordered) {
    begin_[name] = begin;
    begin += static_cast<size_t>(bytes_of(array.sizes, array.type, name));
  }
}

void SafetensorsWriter::write(const std::string& array, size_t offset, std::span<const std::byte> bytes) {
  part_.write_at(begin_.at(array) + offset, bytes);
}

TensorFile SafetensorsWriter::read() const { return read_mapped(part_.map(), Checksums::kSkip, where_); }

void SafetensorsWriter::seal() {
  const auto file = part_.map();
  const std::string sum = checksum_of(*file, parts_of(*file, where_).header);
  part_.write_at(sizeof(uint64_t) + digits_in(parts_of(*file, where_).header), std::as_bytes(std::span(sum)));
  flush_to_disk(part_.file(), where_);
}

void SafetensorsWriter::take_place() { part_.take_place(); }

}  // namespace geniepath
