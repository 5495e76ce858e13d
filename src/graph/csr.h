// The one check of compressed rows, for all untrusted input.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "geniepath/sparse_matrix.h"

namespace geniepath {

// Checks that there is one more offset than rows and that offsets begin at 0, never descend and end at the number of
// entries. The Error names the first row that violates this. Also used for concatenated names and for parts.
void check_offsets(int64_t rows, std::span<const int64_t> offset, int64_t entries, const std::string& where);

// Checks offsets as above, and that every column is in 0 .. columns-1.
void check_csr(int64_t rows, int64_t columns, std::span<const int64_t> offset, std::span<const int32_t> column,
               const std::string& where);

// The same, and one value per entry.
void check_csr(const SparseMatrix& matrix, const std::string& where);

}  // namespace geniepath
