#include "io/npy.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/file.h"
#include "io/byte_reader.h"

namespace geniepath {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMostDimensions = 32;  // NumPy's own bound
constexpr int64_t kMostBytes = int64_t{1} << 62;

struct Dtype {
  std::string_view name;
  at::ScalarType stored;  // how the bytes are read; u2 and u4 are widened, b1 becomes bool
};
constexpr Dtype kDtypes[] = {{"f2", at::kHalf}, {"f4", at::kFloat}, {"f8", at::kDouble}, {"i1", at::kChar},
                             {"i2", at::kShort}, {"i4", at::kInt},  {"i8", at::kLong},   {"u1", at::kByte},
                             {"b1", at::kByte}, {"u2", at::kShort}, {"u4", at::kInt}};

const Dtype* find_dtype(std::string_view name) {
  const auto* found = std::find_if(std::begin(kDtypes), std::end(kDtypes), [&](auto& d) { return d.name == name; });
  return found == std::end(kDtypes) ? nullptr : found;
}

void skip_spaces(ByteReader& in) {
  while (!in.at_end() && (in.rest()[0] == ' ' || in.rest()[0] == '\n')) in.seek(in.offset() + 1);
}

bool accept(ByteReader& in, std::string_view token) {
  skip_spaces(in);
  if (in.rest().substr(0, token.size()) != token) return false;
  in.seek(in.offset() + token.size());
  return true;
}

void expect(ByteReader& in, std::string_view token) {
  if (!accept(in, token)) in.complain("expected '", token, "' in the header, found '", in.rest().substr(0, 8), "'");
}

std::string_view quoted(ByteReader& in) {
  const char quote = accept(in, "\"") ? '"' : '\'';
  if (quote == '\'') expect(in, "'");
  const size_t length = in.rest().find(quote);
  if (length == std::string_view::npos) in.complain("a string in the header is never closed");
  const std::string_view inside = in.text(length, "a quotation");
  in.seek(in.offset() + 1);
  return inside;
}

int64_t size_of_dimension(ByteReader& in) {
  skip_spaces(in);
  const std::string_view rest = in.rest();
  const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0) in.complain("expected a size in the shape, found '", rest.substr(0, 8), "'");
  int64_t size = 0;
  for (const char digit : rest.substr(0, digits)) {
    if (__builtin_mul_overflow(size, int64_t{10}, &size) || __builtin_add_overflow(size, digit - '0', &size)) {
      in.complain("the size ", rest.substr(0, std::min<size_t>(digits, 40)), " in the shape is too large");
    }
  }
  in.seek(in.offset() + digits);
  accept(in, "L");  // Python 2's suffix of long integers
  return size;
}

std::vector<int64_t> parse_shape(ByteReader& in) {
  std::vector<int64_t> shape;
  expect(in, "(");
  while (!accept(in, ")")) {
    if (shape.size() == kMostDimensions) in.complain("a shape of more than ", kMostDimensions, " dimensions");
    shape.push_back(size_of_dimension(in));
    if (accept(in, ",")) continue;
    expect(in, ")");
    break;
  }
  return shape;
}

std::string parse_descr(ByteReader& in, bool object) {
  if (accept(in, "[")) in.complain("a structured array, expected one number per element");
  const ByteReader at = in;
  const std::string_view descr = quoted(in);
  const std::string_view dtype = descr.substr(std::min<size_t>(1, descr.size()));
  if (descr.substr(0, 1) == ">") at.complain("'", descr, "' is big-endian, expected little-endian");
  if (object && descr != "|O") at.complain("'", descr, "', expected '|O', a pickled Python object");
  if (object) return std::string(dtype);
  if (dtype.substr(0, 1) == "O") at.complain("'", descr, "' holds pickled Python objects, expected numbers");
  if (std::string_view("<|=").find(descr.substr(0, 1)) == std::string_view::npos || find_dtype(dtype) == nullptr) {
    at.complain("dtype '", descr.substr(0, 40), "' is not one of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 b1, little-endian");
  }
  return std::string(dtype);
}

void parse_dictionary(ByteReader& in, NpyHeader& header, bool object) {
  bool descr = false, order = false, shape = false;
  expect(in, "{");
  while (!accept(in, "}")) {
    const std::string_view key = quoted(in);
    expect(in, ":");
    if (key == "descr" && !std::exchange(descr, true)) {
      header.dtype = parse_descr(in, object);
    } else if (key == "fortran_order" && !std::exchange(order, true)) {
      header.fortran_order = accept(in, "True");
      if (!header.fortran_order) expect(in, "False");
    } else if (key == "shape" && !std::exchange(shape, true)) {
      header.shape = parse_shape(in);
    } else {
      in.complain("the key '", key.substr(0, 40), "' is unknown or repeated");
    }
    if (accept(in, ",")) continue;
    expect(in, "}");
    break;
  }
  skip_spaces(in);
  if (!in.at_end()) in.complain("expected the header's end, found '", in.rest().substr(0, 8), "'");
  if (!(descr && order && shape)) in.complain("the header lacks one of descr, fortran_order, shape");
}

// A size of 0 counts as 1 here, so that strides cannot overflow either.
size_t bytes_of(const NpyHeader& header, const std::string& where) {
  const auto width = static_cast<int64_t>(c10::elementSize(find_dtype(header.dtype)->stored));
  int64_t bytes = width;
  for (const int64_t size : header.shape) {
    if (__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes) || bytes > kMostBytes) {
      fail(where, ": the header's shape overflows");
    }
  }
  const bool empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  return empty ? 0 : static_cast<size_t>(bytes);
}

template <class From, class To>
at::Tensor widened(const std::byte* data, at::IntArrayRef shape) {
  at::Tensor result = at::empty(shape, c10::CppTypeToScalarType<To>::value);
  To* out = result.template data_ptr<To>();
  for (int64_t i = 0; i < result.numel(); ++i) {
    From value;
    std::memcpy(&value, data + static_cast<size_t>(i) * sizeof value, sizeof value);
    out[i] = value;
  }
  return result;
}

// The elements in file order.
at::Tensor elements(const NpyHeader& header, std::span<const std::byte> data, at::IntArrayRef shape,
                    const std::shared_ptr<const void>& owner) {
  if (header.dtype == "u2") return widened<uint16_t, int32_t>(data.data(), shape);
  if (header.dtype == "u4") return widened<uint32_t, int64_t>(data.data(), shape);
  const at::ScalarType type = find_dtype(header.dtype)->stored;
  const bool aligned = reinterpret_cast<uintptr_t>(data.data()) % c10::elementSize(type) == 0;
  if (owner && aligned) {
    return at::from_blob(const_cast<std::byte*>(data.data()), shape, [owner](void*) {}, at::TensorOptions(type));
  }
  at::Tensor copy = at::empty(shape, type);
  if (!data.empty()) std::memcpy(copy.data_ptr(), data.data(), data.size());
  return copy;
}

// Everything but data_bytes.
NpyHeader parse_description(std::span<const std::byte> bytes, const std::string& where, bool object) {
  ByteReader in(bytes, where);
  if (in.rest().substr(0, kMagic.size()) != kMagic) in.complain("not a NumPy array: it does not begin with \\x93NUMPY");
  in.seek(kMagic.size());
  const int major = in.number<uint8_t>("the version"), minor = in.number<uint8_t>("the version");
  if (major < 1 || major > 3 || minor != 0) {
    in.complain("version ", major, ".", minor, " of the format, expected 1.0, 2.0 or 3.0");
  }
  const size_t length = major == 1 ? in.number<uint16_t>("the header's length")
                                   : in.number<uint32_t>("the header's length");
  NpyHeader header;
  header.data_begin = in.offset() + length;
  in.take(length, "the header");
  ByteReader dictionary(bytes.first(header.data_begin), where, header.data_begin - length);
  parse_dictionary(dictionary, header, object);
  return header;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& where) {
  NpyHeader header = parse_description(bytes, where, false);
  header.data_bytes = bytes_of(header, where);
  return header;
}

size_t parse_object_header(std::span<const std::byte> bytes, const std::string& where) {
  const NpyHeader header = parse_description(bytes, where, true);
  if (!header.shape.empty()) fail(where, ": an array of objects, expected a single one");
  return header.data_begin;
}

at::Tensor parse_npy(std::span<const std::byte> bytes, const std::string& where, std::shared_ptr<const void> owner) {
  const NpyHeader header = parse_npy_header(bytes, where);
  const auto data = bytes.subspan(header.data_begin);
  if (data.size() != header.data_bytes) {
    fail(where, ": byte ", header.data_begin, ": the shape takes ", header.data_bytes, " bytes, but ", data.size(),
         " follow the header");
  }
  std::vector<int64_t> shape = header.shape;
  if (header.fortran_order) std::reverse(shape.begin(), shape.end());
  at::Tensor array = elements(header, data, shape, owner);
  if (header.dtype == "b1") array = array.ne(0);
  if (!header.fortran_order) return array;
  std::vector<int64_t> turned(shape.size());
  std::iota(turned.rbegin(), turned.rend(), int64_t{0});
  return array.permute(turned).contiguous();
}

void write_npy(const std::filesystem::path& path, const at::Tensor& array) {
  const char* descr = nullptr;
  switch (array.scalar_type()) {
    case at::kFloat: descr = "<f4"; break;
    case at::kDouble: descr = "<f8"; break;
    case at::kInt: descr = "<i4"; break;
    case at::kLong: descr = "<i8"; break;
    default: fail(path.string(), ": cannot write dtype ", at::toString(array.scalar_type()), " as .npy");
  }
  std::string shape;
  for (const int64_t size : array.sizes()) shape += std::to_string(size) + ",";
  std::string header = std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  const size_t before = kMagic.size() + 4;
  header.append(63 - (before + header.size()) % 64, ' ');  // so that the elements begin at a multiple of 64
  header += '\n';
  const at::Tensor held = array.contiguous();
  write_atomically(path, [&](std::ostream& out) {
    const char version[] = {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    out.write(kMagic.data(), static_cast<std::streamsize>(kMagic.size())).write(version, sizeof version);
    out << header;
    out.write(static_cast<const char*>(held.data_ptr()), static_cast<std::streamsize>(held.nbytes()));
  });
}

at::Tensor read_npy(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  return parse_npy(file->bytes(), path.string(), file);
}

}  // namespace geniepath
