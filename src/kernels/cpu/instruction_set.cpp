#include "kernels/cpu/instruction_set.h"

#include <algorithm>
#include <cstdlib>

namespace geniepath::kernels::cpu {
namespace {

// Limits oneDNN, ours and LibTorch's, before its first use, at which both read the environment; PyTorch's wheels hide
// their copy from any other way. A value set by the user is kept.
[[maybe_unused]] const bool kOneDnnIsLimited = [] {
  const char* limit = onednn_limit(read_cpu_features(), instruction_set_limit());
  return limit != nullptr && std::getenv("DNNL_MAX_CPU_ISA") == nullptr &&
         ::setenv("ONEDNN_MAX_CPU_ISA", limit, /*overwrite=*/0) == 0;
}();

}  // namespace

std::optional<InstructionSet> instruction_set_named(std::string_view name) {
  const auto found = std::find(kInstructionSetNames.begin(), kInstructionSetNames.end(), name);
  if (found == kInstructionSetNames.end()) return std::nullopt;
  return static_cast<InstructionSet>(found - kInstructionSetNames.begin());
}

InstructionSet instruction_set_limit() {
  const char* name = std::getenv("GENIEPATH_CPU");
  return instruction_set_named(name == nullptr ? "" : name).value_or(InstructionSet::kAmx);
}

const char* onednn_limit(const CpuFeatures& features, InstructionSet limit) {
  switch (limit) {
    case InstructionSet::kSse4:
      return "SSE41";
    case InstructionSet::kAvx2:
      return "AVX2";
    case InstructionSet::kAvx512:
      return "AVX512_CORE";
    case InstructionSet::kAvx512Bf16:
      return "AVX512_CORE_BF16";
    case InstructionSet::kAmx:
      break;
  }
  const bool tiles_as_told = features.saves_tiles && features.palette == TilePalette::kEightTilesOf1KiB;
  return features.amx_bf16 && !tiles_as_told ? "AVX512_CORE_BF16" : nullptr;
}

bool shows_tiles(const CpuFeatures& features, InstructionSet limit) {
  return limit >= InstructionSet::kAmx && features.amx_bf16 && features.saves_tiles && features.avx512 &&
         features.saves_zmm && features.palette != TilePalette::kOther;
}

bool tiles_work(const CpuFeatures& features, InstructionSet limit, const TileAccess& access) {
  return shows_tiles(features, limit) && access.permitted &&
         (features.palette == TilePalette::kEightTilesOf1KiB || access.tried_and_right);
}

// Measured on 9,000 x 256 x 256, two cores. Sapphire Rapids: tiles 1,240 GFLOP/s, f32 290, oneDNN's AVX512_BF16 166.
// Zen 4: oneDNN's AVX512_BF16 390, f32 210. With plain AVX-512 oneDNN emulates bf16 (60); on less it refuses.
Bf16Product bf16_product(const CpuFeatures& features, InstructionSet limit, const TileAccess& access) {
  if (tiles_work(features, limit, access)) return Bf16Product::kTiles;
  const bool dot_products = limit >= InstructionSet::kAvx512Bf16 && features.avx512_bf16 && features.saves_zmm;
  return dot_products && features.amd ? Bf16Product::kOneDnn : Bf16Product::kNone;
}

Bf16Product this_bf16_product() {
  static const Bf16Product product = [] {
    const CpuFeatures features = read_cpu_features();
    const InstructionSet limit = instruction_set_limit();
    return bf16_product(features, limit, shows_tiles(features, limit) ? read_tile_access(features) : TileAccess{});
  }();
  return product;
}

}  // namespace geniepath::kernels::cpu
