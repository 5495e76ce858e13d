// Feature detection on x86-64: CPUID, XCR0 and the kernel's permission for tiles.
#include <cpuid.h>
#include <csignal>
#include <cstdint>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/cpu/instruction_set.h"
#include "kernels/cpu/tile_product.h"

namespace geniepath::kernels::cpu {
namespace {

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// Zeros beyond the last leaf.
Registers cpuid(unsigned leaf, unsigned part = 0) {
  Registers r;
  __get_cpuid_count(leaf, part, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

// One bit per kind of register that the system saves; 0 if it does not report any.
uint64_t saved_registers() {
  constexpr unsigned kOsXSave = 1u << 27;
  if ((cpuid(1).ecx & kOsXSave) == 0) return 0;
  uint32_t low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return uint64_t{high} << 32 | low;
}

constexpr bool has_all(uint64_t found, uint64_t wanted) { return (found & wanted) == wanted; }

TilePalette palette_told() {
  if (cpuid(0x1d).eax == 0) return TilePalette::kUntold;
  const Registers palette = cpuid(0x1d, 1);
  const unsigned tile_bytes = palette.eax >> 16, row_bytes = palette.ebx & 0xffff, tiles = palette.ebx >> 16,
                 rows = palette.ecx & 0xffff;
  const bool as_needed = tile_bytes == 1024 && row_bytes == 64 && tiles == 8 && rows == 16;
  return as_needed ? TilePalette::kEightTilesOf1KiB : TilePalette::kOther;
}

bool ask_for_tiles() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

[[noreturn]] void try_tiles_and_exit() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int death : {SIGILL, SIGSEGV, SIGBUS}) std::signal(death, SIG_DFL);
  ::_exit(tile_product_is_right() ? 0 : 1);
}

bool tiles_survive_a_trial() {
  const pid_t child = ::fork();
  if (child == 0) try_tiles_and_exit();
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

CpuFeatures read_cpu_features() {
  constexpr unsigned kF = 1u << 16, kDq = 1u << 17, kBw = 1u << 30, kVl = 1u << 31;       // leaf 7, EBX
  constexpr unsigned kAmxBf16 = 1u << 22, kAmxTile = 1u << 24;                            // leaf 7, EDX
  constexpr unsigned kAvx512Bf16 = 1u << 5;                                               // leaf 7.1, EAX
  constexpr uint64_t kZmm = 0xe6, kTiles = 0x60000;                                       // XCR0
  const Registers flags = cpuid(7);
  const uint64_t saved = saved_registers();
  CpuFeatures features;
  features.amd = cpuid(0).ebx == signature_AMD_ebx;
  features.avx512 = has_all(flags.ebx, kF | kDq | kBw | kVl);
  features.avx512_bf16 = has_all(cpuid(7, 1).eax, kAvx512Bf16);
  features.amx_bf16 = has_all(flags.edx, kAmxBf16 | kAmxTile);
  features.saves_zmm = has_all(saved, kZmm);
  features.saves_tiles = has_all(saved, kTiles);
  features.palette = palette_told();
  return features;
}

TileAccess read_tile_access(const CpuFeatures& features) {
  TileAccess access;
  access.permitted = ask_for_tiles();
  access.tried_and_right = access.permitted && features.palette == TilePalette::kUntold && tiles_survive_a_trial();
  return access;
}

}  // namespace geniepath::kernels::cpu
