#include "frame_columns.h"

#include <algorithm>
#include <cstring>

#include "geniepath/error.h"

namespace geniepath::python {
namespace {

namespace py = pybind11;

template <class T>
void copy_column(const std::byte* from, int64_t stride, int64_t rows, float* to, int64_t width) {
  for (int64_t row = 0; row < rows; ++row, from += stride, to += width) {
    T value;
    std::memcpy(&value, from, sizeof value);
    *to = static_cast<float>(value);
  }
}

using Copy = decltype(&copy_column<float>);

// The copy function of the type among T of the same kind and size; null if there is none.
template <class... T>
Copy copy_of(const py::dtype& type) {
  Copy found = nullptr;
  const auto try_type = [&](const py::dtype& known, Copy copy) {
    if (known.kind() == type.kind() && known.itemsize() == type.itemsize()) found = copy;
  };
  (try_type(py::dtype::of<T>(), &copy_column<T>), ...);
  return found;
}

}  // namespace

FrameColumns::FrameColumns(const std::vector<py::array>& columns) {
  for (const py::array& column : columns) {
    const Copy copy =
        copy_of<double, float, int64_t, int32_t, int16_t, int8_t, uint64_t, uint32_t, uint16_t, uint8_t, bool>(
            column.dtype());
    if (copy == nullptr) fail("features: a column holds ", std::string(py::str(column.dtype())), ", expected numbers");
    columns_.push_back({static_cast<const std::byte*>(column.data()), column.strides(0), copy});
  }
}

void FrameColumns::copy_rows(int64_t begin, int64_t end, float* out) const {
  constexpr int64_t kRows = 256;  // whose floats stay in the fastest cache
  for (int64_t row = begin; row < end; row += kRows) {
    for (size_t place = 0; place < columns_.size(); ++place) {
      const Column& column = columns_[place];
      column.copy(column.data + row * column.stride, column.stride, std::min(kRows, end - row),
                  out + (row - begin) * count() + static_cast<int64_t>(place), count());
    }
  }
}

}  // namespace geniepath::python
