// Choice of the instruction set: what processor and system offer, lowered to GENIEPATH_CPU where that is set. Decisions
// are pure functions of CpuFeatures, so that they can be tested for any machine.
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

// The value of GENIEPATH_CPU; kAmx, no limit, if it is unset or not a name.
InstructionSet instruction_set_limit();

// Tile palette 1 by CPUID leaf 1D: not reported (some hypervisors end CPUID before it), the 8 tiles of 16 rows of 64
// bytes that our product is written for, or another.
enum class TilePalette { kUntold, kEightTilesOf1KiB, kOther };

// Findings from CPUID and XCR0 (the registers that the system saves).
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

// Whether this process may use tiles. Finding out requests the kernel's permission and, where the palette is not
// reported, tries a product in a child process, so that an illegal instruction kills only the child.
struct TileAccess {
  bool permitted = false;
  bool tried_and_right = false;
};

TileAccess read_tile_access(const CpuFeatures& features);

// The value for ONEDNN_MAX_CPU_ISA, understood by oneDNN 2.6 to 3.7; null for no limit. Where the palette is not
// reported, oneDNN configures palette 0 and dies of its first tile instruction.
const char* onednn_limit(const CpuFeatures& features, InstructionSet limit);

// Whether tiles are worth requesting; tiles_work: whether they may then be used.
bool shows_tiles(const CpuFeatures& features, InstructionSet limit);
bool tiles_work(const CpuFeatures& features, InstructionSet limit, const TileAccess& access);

// The fastest product of bf16 operands; kNone if the f32 product is faster.
enum class Bf16Product { kTiles, kOneDnn, kNone };

Bf16Product bf16_product(const CpuFeatures& features, InstructionSet limit, const TileAccess& access);

// This machine's, determined once.
Bf16Product this_bf16_product();

}  // namespace geniepath::kernels::cpu
