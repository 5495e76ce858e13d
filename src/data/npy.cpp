#include "data/npy.h"

#include <ATen/ATen.h>

#include <cstring>

#include "base/file.h"
#include "data/csv.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr size_t kPreamble = 10;

// What stands between `key` and `end`, without what surrounds it.
std::string_view value_of(std::string_view header, std::string_view key, char end, const std::string& where) {
  const size_t at = header.find(key);
  const size_t stop = at == std::string_view::npos ? at : header.find(end, at + key.size());
  if (stop == std::string_view::npos) fail(where, ": byte ", kPreamble, ": the header has no ", key);
  return header.substr(at + key.size(), stop - at - key.size());
}

at::ScalarType dtype_of(std::string_view descr, const std::string& where) {
  if (descr.find("<f8") != std::string_view::npos) return at::kDouble;
  if (descr.find("<f4") != std::string_view::npos) return at::kFloat;
  if (descr.find("<i8") != std::string_view::npos) return at::kLong;
  if (descr.find("<i4") != std::string_view::npos) return at::kInt;
  fail(where, ": byte ", kPreamble, ": descr", descr, ", expected '<f8', '<f4', '<i8' or '<i4'");
}

std::vector<int64_t> shape_of(std::string_view list, const std::string& where) {
  std::vector<int64_t> shape;
  for (const std::string& text : split_list(list)) {
    const auto size = parse_integer(text);
    if (!size || *size < 0) fail(where, ": byte ", kPreamble, ": the shape holds '", text, "', expected a size");
    shape.push_back(*size);
  }
  return shape;
}

}  // namespace

at::Tensor read_npy(const std::filesystem::path& path) {
  const std::string where = path.string();
  const auto file = MappedFile::open(path);
  const std::string_view text = file->text();
  if (text.size() < kPreamble || !text.starts_with(std::string_view("\x93NUMPY\x01\x00", 8))) {
    fail(where, ": byte 0: expected a NumPy array of version 1.0");
  }
  const size_t length = static_cast<unsigned char>(text[8]) + 256u * static_cast<unsigned char>(text[9]);
  if (length > text.size() - kPreamble) {
    fail(where, ": byte 8: a header of ", length, " bytes, but the file has ", text.size());
  }
  const std::string_view header = text.substr(kPreamble, length);
  const at::ScalarType type = dtype_of(value_of(header, "'descr':", ',', where), where);
  if (value_of(header, "'fortran_order':", ',', where).find("False") == std::string_view::npos) {
    fail(where, ": byte ", kPreamble, ": the array is stored by columns, expected by rows");
  }
  const std::string_view list = value_of(header, "'shape':", ')', where);
  const std::vector<int64_t> shape = shape_of(list.substr(std::min(list.size(), list.find('(') + 1)), where);
  auto bytes = static_cast<int64_t>(c10::elementSize(type));
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) fail(where, ": byte ", kPreamble, ": the shape overflows");
  }
  const std::string_view data = text.substr(kPreamble + length);
  if (data.size() != static_cast<uint64_t>(bytes)) {
    fail(where, ": byte ", kPreamble + length, ": expected ", bytes, " bytes of values, found ", data.size());
  }
  at::Tensor result = at::empty(shape, type);
  if (bytes > 0) std::memcpy(result.data_ptr(), data.data(), data.size());
  return result;
}

}  // namespace geniepath
