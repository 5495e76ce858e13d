// Any bytes, as a MATLAB file: its entries lie within its dimensions, or it is refused with an Error.
#include <cstdlib>

#include "fuzz_input.h"
#include "io/mat.h"

FUZZ_TARGET(mat)(const uint8_t* data, size_t size) {
  const geniepath::fuzz::InputFile file(data, size);
  return geniepath::fuzz::only_errors([&] {
    geniepath::MatFile mat(file.path());
    const geniepath::MatPattern pattern = mat.sparse("network");
    for (const int32_t row : pattern.row) {
      if (row < 0 || row >= pattern.rows) std::abort();
    }
    if (pattern.row.size() != pattern.column.size()) std::abort();
  });
}
