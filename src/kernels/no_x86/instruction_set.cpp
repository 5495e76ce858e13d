// Built for processors other than x86-64: none of its instruction sets, no tiles.
#include <stdexcept>

#include "kernels/cpu/instruction_set.h"
#include "kernels/cpu/tile_product.h"

namespace geniepath::kernels::cpu {

CpuFeatures read_cpu_features() { return {}; }
TileAccess read_tile_access(const CpuFeatures&) { return {}; }

void tile_product(const MatrixView<Bf16>&, const MatrixView<Bf16>&, float*, int64_t, bool) {
  throw std::logic_error("matmul: built without tiles");
}

}  // namespace geniepath::kernels::cpu
