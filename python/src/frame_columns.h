// Columns of a data frame, side by side as rows of floats.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <vector>

namespace geniepath::python {

// A view of the columns, which must outlive it: numbers of any of NumPy's usual types, in the machine's byte order,
// each column with its own stride. Copying needs no lock of the interpreter's.
class FrameColumns {
 public:
  // An Error names a type that is not among them.
  explicit FrameColumns(const std::vector<pybind11::array>& columns);

  int64_t count() const { return static_cast<int64_t>(columns_.size()); }
  // Rounded to the nearest float; what is too large is infinite.
  void copy_rows(int64_t begin, int64_t end, float* out) const;

 private:
  struct Column {
    const std::byte* data;
    int64_t stride;  // in bytes
    void (*copy)(const std::byte* from, int64_t stride, int64_t rows, float* to, int64_t width);
  };
  std::vector<Column> columns_;
};

}  // namespace geniepath::python
