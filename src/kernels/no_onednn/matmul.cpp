// Built where oneDNN (package libdnnl-dev) is not installed: callers ask has_matmul() and use their framework's product.
#include "kernels/cpu/matmul.h"

#include <stdexcept>

namespace geniepath::kernels::cpu {

bool has_matmul() { return false; }

void matmul(const MatrixView<float>&, const MatrixView<float>&, float*, int64_t, bool) {
  throw std::logic_error("matmul: built without oneDNN");
}

void matmul(const MatrixView<Bf16>&, const MatrixView<Bf16>&, float*, int64_t, bool) {
  throw std::logic_error("matmul: built without oneDNN");
}

}  // namespace geniepath::kernels::cpu
