// Compressed rows as files have them, checked before use.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// One more offset than rows; they begin at 0, never descend and end at the number of entries; every entry's column is
// in 0 .. columns-1. The Error names the first row that is not so.
void check_csr(int64_t rows, int64_t columns, std::span<const int64_t> offset, std::span<const int32_t> column,
               const std::string& where);

// The same, and one value for each.
void check_csr(const SparseMatrix& matrix, const std::string& where);

}  // namespace geniepath
