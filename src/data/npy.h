// NumPy's .npy: magic "\x93NUMPY", version 1 0, a 2-byte little-endian header length, a header that is a Python
// dictionary, {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }, then the values, row by row.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>

namespace geniepath {

// f8, f4, i8 or i4, little-endian.
at::Tensor read_npy(const std::filesystem::path& path);

}  // namespace geniepath
