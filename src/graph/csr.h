// The one check of compressed rows, for whatever comes from outside.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "geniepath/sparse_matrix.h"

namespace geniepath {

// One more offset than rows; they begin at 0, never descend and end at the number of entries. The Error names the first
// row that is not so. Also for names in one string, and for parts.
void check_offsets(int64_t rows, std::span<const int64_t> offset, int64_t entries, const std::string& where);

// Offsets as above, and every entry's column in 0 .. columns-1.
void check_csr(int64_t rows, int64_t columns, std::span<const int64_t> offset, std::span<const int32_t> column,
               const std::string& where);

// The same, and one value per entry.
void check_csr(const SparseMatrix& matrix, const std::string& where);

}  // namespace geniepath
