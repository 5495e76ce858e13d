// bfloat16 storage: the upper half of an f32. Arithmetic is always in f32.
#pragma once

#include <bit>
#include <cstdint>

namespace geniepath::kernels {

struct Bf16 {
  uint16_t bits;
};

constexpr float to_float(Bf16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16); }

// Rounds to nearest, ties to even; NaN stays NaN.
constexpr Bf16 to_bf16(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace geniepath::kernels
