#include "graph/csr.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "geniepath/error.h"

namespace geniepath {

void check_offsets(int64_t rows, std::span<const int64_t> offset, int64_t entries, const std::string& where) {
  if (offset.empty()) fail(where, ": no row offsets, expected at least one (0)");
  if (std::ssize(offset) != rows + 1) {
    fail(where, ": ", offset.size(), " row offsets for ", rows, " rows, expected ", rows + 1);
  }
  if (offset[0] != 0) fail(where, ": row 0 begins at entry ", offset[0], ", expected 0");
  const int64_t descends =
      first_in_parallel(rows, [&](int64_t row) {  // compared, not subtracted: hostile offsets overflow
        return offset[static_cast<size_t>(row) + 1] < offset[static_cast<size_t>(row)];
      });
  if (const auto r = static_cast<size_t>(descends); descends < rows) {
    fail(where, ": row ", r + 1, " begins at entry ", offset[r + 1], ", before row ", r, " at ", offset[r]);
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
  const int64_t at = first_in_parallel(std::ssize(column), [&](int64_t entry) {
    const int32_t c = column[static_cast<size_t>(entry)];
    return c < 0 || c >= columns;
  });
  if (at == std::ssize(column)) return;
  const auto row = std::upper_bound(offset.begin(), offset.end(), at) - offset.begin() - 1;
  fail(where, ": row ", row, " has an entry in column ", column[static_cast<size_t>(at)], ", but there are ", columns);
}

void check_csr(const SparseMatrix& matrix, const std::string& where) {
  check_csr(matrix.rows, matrix.columns, matrix.offset.span(), matrix.column.span(), where);
  if (matrix.value.size() != matrix.column.size()) {
    fail(where, ": ", matrix.value.size(), " values for ", matrix.column.size(), " entries");
  }
}

}  // namespace geniepath
