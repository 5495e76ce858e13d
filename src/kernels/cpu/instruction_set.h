// Which instructions are used: what the processor and the system offer, lowered to GENIEPATH_CPU where that is set. The
// decisions are pure functions of CpuFeatures, so that machines nobody has at hand can be tested.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace geniepath::kernels::cpu {

// From least to most; each includes those before it.
enum class InstructionSet { kSse4, kAvx2, kAvx512, kAvx512Bf16, kAmx };

// As GENIEPATH_CPU spells them, in the order of InstructionSet.
constexpr std::array<std::string_view, 5> kInstructionSetNames{"sse4", "avx2", "avx512", "avx512_bf16", "amx"};

std::optional<InstructionSet> instruction_set_named(std::string_view name);

// The value of GENIEPATH_CPU; kAmx, no limit, where it is not set or not a name.
InstructionSet instruction_set_limit();

// What CPUID leaf 1D says of tile palette 1: nothing (some hypervisors end CPUID before it), the 8 tiles of 16 rows of
// 64 bytes that our product is written for, or something else.
enum class TilePalette { kUntold, kEightTilesOf1KiB, kOther };

// CPUID and XCR0 (which registers the system saves), as found.
struct CpuFeatures {
  bool amd = false;
  bool avx512 = false;       // F, BW, DQ and VL
  bool avx512_bf16 = false;
  bool amx_bf16 = false;     // with the tiles it works on
  bool saves_zmm = false;
  bool saves_tiles = false;
  TilePalette palette = TilePalette::kUntold;
};

CpuFeatures read_cpu_features();

// What this process may do with tiles. Finding out asks the kernel for permission and, where the palette is untold, tries
// a product in a child process, which an illegal instruction kills alone.
struct TileAccess {
  bool permitted = false;
  bool tried_and_right = false;
};

TileAccess read_tile_access(const CpuFeatures& features);

// The value for ONEDNN_MAX_CPU_ISA, understood by oneDNN 2.6 to 3.7 alike; null where it needs no limit. oneDNN takes an
// untold palette for palette 0 and dies of its first tile instruction.
const char* onednn_limit(const CpuFeatures& features, InstructionSet limit);

// Whether tiles are worth asking for, and whether they may then be used.
bool shows_tiles(const CpuFeatures& features, InstructionSet limit);
bool tiles_work(const CpuFeatures& features, InstructionSet limit, const TileAccess& access);

// The fastest product of bf16 operands; kNone where that of f32 is faster still.
enum class Bf16Product { kTiles, kOneDnn, kNone };

Bf16Product bf16_product(const CpuFeatures& features, InstructionSet limit, const TileAccess& access);

// This machine's, found out once.
Bf16Product this_bf16_product();

}  // namespace geniepath::kernels::cpu
