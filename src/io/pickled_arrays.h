// NumPy arrays and SciPy matrices from a pickle that is never executed (io/pickle.h).
//   array:  _reconstruct(ndarray, (0,), 'b') with the state (1, shape, dtype, fortran_order, raw bytes)
//   dtype:  dtype('i4', 0, 1) with the state (3, '<', ...)
//   matrix: csr_matrix() with the state {'_shape': (rows, columns), 'indptr': array, 'indices': array, 'data': array}
//   one object as an array: the same as an array, with a list of the object in place of the raw bytes
// Elements are i4 (indices, labels) or f4 (values), little-endian, in row order.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/sparse_matrix.h"
#include "io/pickle.h"

namespace geniepath {

struct PickledInts {
  int64_t rows = 0, columns = 0;
  std::vector<int32_t> values;
};

// An i4 array of two dimensions.
PickledInts pickled_ints(const Pickle& pickle, const PickleValue& value);

// The object in an array of one.
const PickleValue& pickled_object(const Pickle& pickle, const PickleValue& value);

// Offsets and columns are checked.
SparseMatrix pickled_csr(const Pickle& pickle, const PickleValue& value, const std::string& where);

}  // namespace geniepath
