#include "io/mat.h"

#include <matio.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "base/file.h"
#include "geniepath/error.h"
#include "io/gzip.h"

namespace geniepath {
namespace {

constexpr size_t kHeader = 128;
constexpr size_t kTag = 8;
constexpr size_t kMostInflated = size_t{1} << 30;
enum : uint32_t { kInt32 = 5, kUint32 = 6, kMatrix = 14, kCompressed = 15 };  // element types
constexpr int kSparse = 5;  // matrix class

// libmatio trusts the lengths it reads, allocates them, and reads a truncated file as if it ended in zeros. So the
// file's structure is checked first: libmatio only gets level 5 files of sparse matrices whose parts lie within them.

struct Tag {
  uint32_t type = 0;
  size_t length = 0;  // of the data
  size_t data = 0;    // offset from the tag
};

// A short element has its length in the upper half of its type, and up to 4 bytes of data in place of the length.
Tag tag_at(std::string_view text, size_t at, const std::string& where) {
  uint32_t words[2] = {};
  if (text.size() - at < sizeof words) fail(where, ": byte ", at, ": an element is cut short");
  std::memcpy(words, text.data() + at, sizeof words);
  const bool is_short = words[0] >> 16 != 0;
  const Tag tag = is_short ? Tag{words[0] & 0xffff, words[0] >> 16, 4} : Tag{words[0], words[1], sizeof words};
  const size_t room = is_short ? 4 : text.size() - at - tag.data;
  if (tag.length > room) {
    fail(where, ": byte ", at, ": an element of ", tag.length, " bytes where there is room for ", room);
  }
  return tag;
}

struct Part {
  uint32_t type = 0;
  std::string_view data;
};

std::vector<Part> parts_of(std::string_view matrix, const std::string& where) {
  if (tag_at(matrix, 0, where).type != kMatrix) fail(where, ": byte 0: expected a matrix");
  std::vector<Part> parts;
  for (size_t at = kTag; at < matrix.size();) {
    const Tag tag = tag_at(matrix, at, where);
    parts.push_back({tag.type, matrix.substr(at + tag.data, tag.length)});
    at += tag.data == 4 ? kTag : kTag + (tag.length + kTag - 1) / kTag * kTag;
  }
  return parts;
}

size_t size_of_type(uint32_t type) {
  constexpr size_t kSizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};  // int8, uint8, ... single, double, 64 bits
  return type < std::size(kSizes) ? kSizes[type] : 0;
}

std::vector<uint32_t> words_of(const Part& part, const char* what, const std::string& where) {
  if ((part.type != kInt32 && part.type != kUint32) || part.data.size() % 4 != 0) {
    fail(where, ": the ", what, " are of type ", part.type, " in ", part.data.size(),
         " bytes, expected 32-bit numbers");
  }
  std::vector<uint32_t> words(part.data.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), part.data.data(), part.data.size());
  return words;
}

// Exactly flags, dimensions, name, row indices, column pointers and values, consistent with each other.
void check_matrix(std::string_view matrix, const std::string& where) {
  const std::vector<Part> parts = parts_of(matrix, where);
  if (parts.empty() || parts[0].data.size() != 8) fail(where, ": byte ", kTag, ": expected 8 bytes of flags");
  const int kind = static_cast<unsigned char>(parts[0].data[0]);
  if (kind != kSparse) fail(where, ": a matrix of class ", kind, ", expected sparse (", kSparse, ")");
  if (parts.size() != 6) fail(where, ": a real sparse matrix has 6 parts, found ", parts.size());
  const std::vector<uint32_t> dimensions = words_of(parts[1], "dimensions", where);
  const std::vector<uint32_t> rows = words_of(parts[3], "row indices", where);
  const std::vector<uint32_t> begins = words_of(parts[4], "column pointers", where);
  if (dimensions.size() != 2) fail(where, ": ", dimensions.size(), " dimensions, expected 2");
  if (begins.size() != size_t{dimensions[1]} + 1) {
    fail(where, ": ", begins.size(), " column pointers, expected ", size_t{dimensions[1]} + 1);
  }
  if (begins[0] != 0 || !std::is_sorted(begins.begin(), begins.end())) {
    fail(where, ": the column pointers do not ascend from 0");
  }
  const size_t size = size_of_type(parts[5].type);
  if (size == 0) fail(where, ": values of type ", parts[5].type, ", expected numbers");
  const size_t entries = std::min(rows.size(), parts[5].data.size() / size);
  if (begins.back() > entries) {
    fail(where, ": the column pointers count ", begins.back(), " entries, but there are ", entries);
  }
}

void check_file(const std::filesystem::path& path) {
  const std::string where = path.string();
  const auto file = MappedFile::open(path);
  const std::string_view text = file->text();
  if (text.size() < kHeader) fail(where, ": ", text.size(), " bytes, expected a header of ", kHeader);
  if (text.substr(kHeader - 4, 4) != std::string_view("\x00\x01IM", 4)) {
    fail(where, ": byte ", kHeader - 4, ": not a little-endian MATLAB level 5 file");
  }
  for (size_t at = kHeader; at < text.size();) {
    const Tag tag = tag_at(text, at, where);
    const size_t end = at + kTag + tag.length;
    const std::string inside = where + ": in the element at byte " + std::to_string(at);
    if (tag.type == kCompressed && tag.data == kTag) {
      check_matrix(inflate(text.substr(at + kTag, tag.length), kMostInflated, inside), inside);
    } else {
      check_matrix(text.substr(at, std::min(end, text.size()) - at), inside);
    }
    at = end;
  }
}

bool is_zero(const char* value, size_t size) {
  return std::all_of(value, value + size, [](char byte) { return byte == 0; });
}

// Checks libmatio's result before its arrays are used.
void check_sparse(const mat_sparse_t& sparse, size_t rows, size_t columns, const std::string& where) {
  constexpr size_t kMost = std::numeric_limits<int32_t>::max();
  if (rows > kMost || columns > kMost) fail(where, ": ", rows, " x ", columns, " is too large");
  const bool pointers =
      sparse.jc != nullptr && sparse.njc == columns + 1 && std::is_sorted(sparse.jc, sparse.jc + sparse.njc);
  const size_t entries = pointers ? sparse.jc[columns] : 0;
  const bool arrays = entries == 0 || (sparse.ir != nullptr && sparse.data != nullptr);
  if (!pointers || !arrays || entries > sparse.nir || entries > sparse.ndata) fail(where, ": libmatio cannot read it");
  for (size_t at = 0; at < entries; ++at) {
    if (sparse.ir[at] >= rows) fail(where, ": entry ", at, " is in row ", sparse.ir[at], " of ", rows);
  }
}

}  // namespace

bool MatFile::available() { return true; }

MatFile::MatFile(const std::filesystem::path& path) : where_(path.string()), file_(nullptr) {
  check_file(path);
  file_ = Mat_Open(path.c_str(), MAT_ACC_RDONLY);
  if (file_ == nullptr) fail(where_, ": libmatio cannot read it");
}

MatFile::~MatFile() { Mat_Close(static_cast<mat_t*>(file_)); }

MatPattern MatFile::sparse(const std::string& name) {
  const std::string where = where_ + ": variable '" + name + "'";
  const std::unique_ptr<matvar_t, void (*)(matvar_t*)> variable(
      Mat_VarRead(static_cast<mat_t*>(file_), name.c_str()), Mat_VarFree);
  if (!variable) fail(where, ": missing or damaged");
  if (variable->class_type != MAT_C_SPARSE || variable->isComplex || variable->rank != 2 ||
      variable->dims == nullptr || variable->data == nullptr) {
    fail(where, ": expected a real sparse matrix");
  }
  const auto& sparse = *static_cast<const mat_sparse_t*>(variable->data);
  const size_t size = Mat_SizeOf(variable->data_type);
  if (size == 0) fail(where, ": values of an unknown type");
  check_sparse(sparse, variable->dims[0], variable->dims[1], where);
  MatPattern pattern{static_cast<int64_t>(variable->dims[0]), static_cast<int64_t>(variable->dims[1]), {}, {}};
  for (int32_t column = 0; column < pattern.columns; ++column) {
    for (size_t at = sparse.jc[column]; at < sparse.jc[column + 1]; ++at) {
      if (is_zero(static_cast<const char*>(sparse.data) + at * size, size)) continue;
      pattern.row.push_back(static_cast<int32_t>(sparse.ir[at]));
      pattern.column.push_back(column);
    }
  }
  return pattern;
}

}  // namespace geniepath
