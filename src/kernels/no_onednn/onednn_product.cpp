// Built where oneDNN (package libdnnl-dev) is missing; callers check has_onednn() first.
#include "kernels/cpu/onednn_product.h"

#include <stdexcept>

namespace geniepath::kernels::cpu {

bool has_onednn() { return false; }

void keep_few_onednn_products() {}

template <class S>
void onednn_product(const MatrixView<S>&, const MatrixView<S>&, float*, int64_t, bool) {
  throw std::logic_error("matmul: built without oneDNN");
}

template void onednn_product(const MatrixView<float>&, const MatrixView<float>&, float*, int64_t, bool);
template void onednn_product(const MatrixView<Bf16>&, const MatrixView<Bf16>&, float*, int64_t, bool);

}  // namespace geniepath::kernels::cpu
