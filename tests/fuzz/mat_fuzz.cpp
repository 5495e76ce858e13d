// Any bytes, as a MATLAB file: its entries lie within its dimensions, or it is refused with an Error.
#include <cstdlib>

#include "data/mat.h"
#include "fuzz_file.h"
#include "geniepath/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const geniepath::testing::FuzzFile file("x.mat");
  try {
    geniepath::MatFile mat(file.write({reinterpret_cast<const char*>(data), size}));
    const geniepath::MatPattern pattern = mat.sparse("network");
    for (const int32_t row : pattern.row) {
      if (row < 0 || row >= pattern.rows) std::abort();
    }
    if (pattern.row.size() != pattern.column.size()) std::abort();
  } catch (const geniepath::Error&) {
  }
  return 0;
}
