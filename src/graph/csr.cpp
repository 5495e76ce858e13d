#include "graph/csr.h"

#include <limits>

#include "geniepath/error.h"

namespace geniepath {

void check_offsets(int64_t rows, std::span<const int64_t> offset, int64_t entries, const std::string& where) {
  if (offset.empty()) fail(where, ": no row offsets, expected at least one (0)");
  if (std::ssize(offset) != rows + 1) {
    fail(where, ": ", offset.size(), " row offsets for ", rows, " rows, expected ", rows + 1);
  }
  if (offset[0] != 0) fail(where, ": row 0 begins at entry ", offset[0], ", expected 0");
  for (size_t r = 0; r + 1 < offset.size(); ++r) {  // compared, not subtracted: hostile offsets overflow
    if (offset[r + 1] < offset[r]) {
      fail(where, ": row ", r + 1, " begins at entry ", offset[r + 1], ", before row ", r, " at ", offset[r]);
    }
  }
  if (offset.back() != entries) {
    fail(where, ": the rows end at entry ", offset.back(), ", but there are ", entries, " entries");
  }
}

void check_csr(int64_t rows, int64_t columns, std::span<const int64_t> offset, std::span<const int32_t> column,
               const std::string& where) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (rows < 0 || columns < 0 || rows > kMost || columns > kMost) {
    fail(where, ": a matrix of ", rows, " x ", columns, ", expected 0 to ", kMost);
  }
  check_offsets(rows, offset, std::ssize(column), where);
  for (size_t r = 0; r + 1 < offset.size(); ++r) {
    const auto begin = static_cast<size_t>(offset[r]), end = static_cast<size_t>(offset[r + 1]);
    for (const int32_t c : column.subspan(begin, end - begin)) {
      if (c < 0 || c >= columns) fail(where, ": row ", r, " has an entry in column ", c, ", but there are ", columns);
    }
  }
}

void check_csr(const SparseMatrix& matrix, const std::string& where) {
  check_csr(matrix.rows, matrix.columns, matrix.offset.span(), matrix.column.span(), where);
  if (matrix.value.size() != matrix.column.size()) {
    fail(where, ": ", matrix.value.size(), " values for ", matrix.column.size(), " entries");
  }
}

}  // namespace geniepath
