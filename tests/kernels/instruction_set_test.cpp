#include "kernels/cpu/instruction_set.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace geniepath::kernels::cpu {
namespace {

constexpr auto kNoLimit = InstructionSet::kAmx;
constexpr TileAccess kRefused{false, false}, kPermitted{true, false}, kTried{true, true};

CpuFeatures without_avx512() { return {}; }

CpuFeatures with_avx512() {
  CpuFeatures features;
  features.avx512 = features.saves_zmm = true;
  return features;
}

CpuFeatures with_avx512_bf16() {
  CpuFeatures features = with_avx512();
  features.avx512_bf16 = true;
  return features;
}

CpuFeatures with_tiles(TilePalette palette) {
  CpuFeatures features = with_avx512_bf16();
  features.amx_bf16 = features.saves_tiles = true;
  features.palette = palette;
  return features;
}

std::string limit_of(const CpuFeatures& features, InstructionSet limit = kNoLimit) {
  const char* name = onednn_limit(features, limit);
  return name == nullptr ? "" : name;
}

TEST(InstructionSet, NamesAreThoseOfTheVariable) {
  EXPECT_EQ(instruction_set_named("sse4"), InstructionSet::kSse4);
  EXPECT_EQ(instruction_set_named("avx512_bf16"), InstructionSet::kAvx512Bf16);
  EXPECT_EQ(instruction_set_named("amx"), InstructionSet::kAmx);
  EXPECT_EQ(instruction_set_named("AVX2"), std::nullopt);
  EXPECT_EQ(instruction_set_named(""), std::nullopt);
}

TEST(InstructionSet, OneDnnIsLimitedWhereTilesAreShownButNotTold) {
  EXPECT_EQ(limit_of(without_avx512()), "");
  EXPECT_EQ(limit_of(with_avx512_bf16()), "");
  EXPECT_EQ(limit_of(with_tiles(TilePalette::kEightTilesOf1KiB)), "");
  EXPECT_EQ(limit_of(with_tiles(TilePalette::kUntold)), "AVX512_CORE_BF16");
  EXPECT_EQ(limit_of(with_tiles(TilePalette::kOther)), "AVX512_CORE_BF16");
  CpuFeatures not_saved = with_tiles(TilePalette::kEightTilesOf1KiB);
  not_saved.saves_tiles = false;
  EXPECT_EQ(limit_of(not_saved), "AVX512_CORE_BF16");
}

TEST(InstructionSet, OneDnnIsLoweredWithTheVariable) {
  const CpuFeatures features = with_tiles(TilePalette::kEightTilesOf1KiB);
  EXPECT_EQ(limit_of(features, InstructionSet::kSse4), "SSE41");
  EXPECT_EQ(limit_of(features, InstructionSet::kAvx2), "AVX2");
  EXPECT_EQ(limit_of(features, InstructionSet::kAvx512), "AVX512_CORE");
  EXPECT_EQ(limit_of(features, InstructionSet::kAvx512Bf16), "AVX512_CORE_BF16");
}

TEST(InstructionSet, TilesAreUsedWhereToldOrTried) {
  const CpuFeatures told = with_tiles(TilePalette::kEightTilesOf1KiB), untold = with_tiles(TilePalette::kUntold);
  EXPECT_EQ(bf16_product(told, kNoLimit, kPermitted), Bf16Product::kTiles);
  EXPECT_EQ(bf16_product(untold, kNoLimit, kTried), Bf16Product::kTiles);
  EXPECT_EQ(bf16_product(untold, kNoLimit, kPermitted), Bf16Product::kNone);
  EXPECT_EQ(bf16_product(told, kNoLimit, kRefused), Bf16Product::kNone);
  EXPECT_EQ(bf16_product(with_tiles(TilePalette::kOther), kNoLimit, kTried), Bf16Product::kNone);
  EXPECT_EQ(bf16_product(told, InstructionSet::kAvx512Bf16, kTried), Bf16Product::kNone);
}

TEST(InstructionSet, TilesAreNotAskedForWhereTheSystemDoesNotSaveThem) {
  EXPECT_TRUE(shows_tiles(with_tiles(TilePalette::kUntold), kNoLimit));
  EXPECT_FALSE(shows_tiles(with_avx512_bf16(), kNoLimit));
  EXPECT_FALSE(shows_tiles(with_tiles(TilePalette::kUntold), InstructionSet::kAvx512));
  CpuFeatures features = with_tiles(TilePalette::kEightTilesOf1KiB);
  features.saves_tiles = false;
  EXPECT_FALSE(shows_tiles(features, kNoLimit));
  features = with_tiles(TilePalette::kEightTilesOf1KiB);
  features.saves_zmm = false;
  EXPECT_FALSE(shows_tiles(features, kNoLimit));
}

TEST(InstructionSet, WithoutTilesItIsWhatWasMeasuredFaster) {
  EXPECT_EQ(bf16_product(without_avx512(), kNoLimit, kRefused), Bf16Product::kNone);
  EXPECT_EQ(bf16_product(with_avx512(), kNoLimit, kRefused), Bf16Product::kNone);
  EXPECT_EQ(bf16_product(with_avx512_bf16(), kNoLimit, kRefused), Bf16Product::kNone);
  CpuFeatures zen4 = with_avx512_bf16();
  zen4.amd = true;
  EXPECT_EQ(bf16_product(zen4, kNoLimit, kRefused), Bf16Product::kOneDnn);
  EXPECT_EQ(bf16_product(zen4, InstructionSet::kAvx512, kRefused), Bf16Product::kNone);
  zen4.saves_zmm = false;
  EXPECT_EQ(bf16_product(zen4, kNoLimit, kRefused), Bf16Product::kNone);
}

// LibTorch's own oneDNN may be hidden inside it, where only the environment reaches it.
TEST(InstructionSet, TheLimitOfThisMachineIsInTheEnvironment) {
  const std::string limit = limit_of(read_cpu_features(), instruction_set_limit());
  if (limit.empty()) GTEST_SKIP() << "oneDNN needs no limit here";
  EXPECT_TRUE(std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr || std::getenv("DNNL_MAX_CPU_ISA") != nullptr);
}

}  // namespace
}  // namespace geniepath::kernels::cpu
