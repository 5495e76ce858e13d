// A node's K values spread over a group of lanes: lane l of a group of kLanes holds, for m = 0 .. kVectors-1, the four
// values from k = 4 (m kLanes + l) on. Where kExact, K = 4 kLanes kVectors and rows are aligned: loads are whole
// vectors. Otherwise values past K read as 0 and are not written.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/bf16.h"

namespace geniepath::kernels::cuda {

template <int kLanes_, int kVectors_, bool kExact_>
struct Layout {
  static constexpr int kLanes = kLanes_, kVectors = kVectors_;
  static constexpr bool kExact = kExact_;
  static constexpr int kWidth = 4 * kLanes * kVectors;

  static __device__ int lane() { return static_cast<int>(threadIdx.x) % kLanes; }
  static __device__ int first(int m) { return 4 * (m * kLanes + lane()); }
};

template <class L>
struct Values {
  float at[L::kVectors][4];

  __device__ void fill(float x) {
#pragma unroll
    for (int m = 0; m < L::kVectors; ++m)
#pragma unroll
      for (int c = 0; c < 4; ++c) at[m][c] = x;
  }
};

// f(m, c) for every element a lane holds.
template <class L, class F>
__device__ void each(F f) {
#pragma unroll
  for (int m = 0; m < L::kVectors; ++m)
#pragma unroll
    for (int c = 0; c < 4; ++c) f(m, c);
}

__device__ inline void load_four(const float* from, float (&to)[4]) {
  const float4 x = __ldg(reinterpret_cast<const float4*>(from));
  to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = x.w;
}
__device__ inline void load_four(const Bf16* from, float (&to)[4]) {
  const uint2 x = __ldg(reinterpret_cast<const uint2*>(from));
  to[0] = __uint_as_float(x.x << 16), to[1] = __uint_as_float(x.x & 0xffff0000u);
  to[2] = __uint_as_float(x.y << 16), to[3] = __uint_as_float(x.y & 0xffff0000u);
}
__device__ inline uint32_t bf16_bits(float x) { return __bfloat16_as_ushort(__float2bfloat16_rn(x)); }
__device__ inline void store_four(float* to, const float (&x)[4]) {
  *reinterpret_cast<float4*>(to) = make_float4(x[0], x[1], x[2], x[3]);
}
__device__ inline void store_four(Bf16* to, const float (&x)[4]) {
  *reinterpret_cast<uint2*>(to) =
      make_uint2(bf16_bits(x[0]) | bf16_bits(x[1]) << 16, bf16_bits(x[2]) | bf16_bits(x[3]) << 16);
}
__device__ inline void store_one(float* to, float x) { *to = x; }
__device__ inline void store_one(Bf16* to, float x) { to->bits = static_cast<uint16_t>(bf16_bits(x)); }
__device__ inline float as_float(float x) { return x; }
__device__ inline float as_float(Bf16 x) { return __uint_as_float(static_cast<uint32_t>(x.bits) << 16); }

// Whether a row that is not kExact can move four values at once from any multiple of 4.
template <class S>
__device__ bool in_fours(const S* row, int width) {
  return width % 4 == 0 && reinterpret_cast<uintptr_t>(row) % (4 * sizeof(S)) == 0;
}

// The lane's values of the row that begins 4 lane() before `from`.
template <class L, class S>
__device__ void load_lane(const S* from, int width, Values<L>& to) {
#pragma unroll
  for (int m = 0; m < L::kVectors; ++m) {
    const S* four = from + 4 * m * L::kLanes;
    const int k = L::first(m);
    if (L::kExact || (k < width && in_fours(four, width))) {
      load_four(four, to.at[m]);
    } else {
#pragma unroll
      for (int c = 0; c < 4; ++c) to.at[m][c] = k + c < width ? as_float(four[c]) : 0.0f;
    }
  }
}

template <class L, class S>
__device__ void load(const S* row, int width, Values<L>& to) {
  load_lane<L>(row + L::first(0), width, to);
}

// Rows of a matrix to be gathered, `stride` values apart: one multiply-add locates a lane's part of any row.
template <class L, class S>
class Gather {
 public:
  __device__ Gather(const S* rows, int64_t stride, int64_t width)
      : first_(reinterpret_cast<const char*>(rows + L::first(0))),
        stride_(static_cast<uint32_t>(stride * sizeof(S))),
        width_(static_cast<int>(width)) {}
  __device__ void load(int32_t row, Values<L>& to) const {
    const char* from = first_ + static_cast<uint64_t>(static_cast<uint32_t>(row)) * stride_;
    load_lane<L>(reinterpret_cast<const S*>(from), width_, to);
  }

 private:
  const char* first_;
  uint32_t stride_;
  int width_;
};

// Blocks of kThreads that must fit on a multiprocessor to hide the gathers' latency; measured.
template <class L>
constexpr int kResidentBlocks = L::kVectors <= 2 ? 3 : 1;

template <class L, class S>
__device__ void store(S* row, int width, const Values<L>& from) {
#pragma unroll
  for (int m = 0; m < L::kVectors; ++m) {
    const int k = L::first(m);
    if (L::kExact || (k < width && in_fours(row, width))) {
      store_four(row + k, from.at[m]);
    } else {
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        if (k + c < width) store_one(row + k + c, from.at[m][c]);
      }
    }
  }
}

// The lanes of this thread's group within its warp.
template <class L>
__device__ unsigned group_mask() {
  if constexpr (L::kLanes == 32) return 0xffffffffu;
  const unsigned ones = (1u << (L::kLanes % 32)) - 1u;
  return ones << (threadIdx.x % 32 / L::kLanes * L::kLanes);
}

// The group's sum or maximum, in every lane; the order is fixed.
template <class L>
__device__ float group_sum(float x) {
#pragma unroll
  for (int step = L::kLanes / 2; step > 0; step /= 2) x += __shfl_xor_sync(group_mask<L>(), x, step);
  return x;
}
template <class L>
__device__ float group_max(float x) {
#pragma unroll
  for (int step = L::kLanes / 2; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(group_mask<L>(), x, step));
  return x;
}

// Four sums over the group at little more than the cost of one: lane l gets the sum of x[l % 4]. Each exchange halves
// the number of sums that a lane still accumulates.
template <class L>
__device__ float group_sums_of_four(const float (&x)[4]) {
  constexpr int kHalf = L::kLanes / 2, kQuarter = L::kLanes / 4;
  const unsigned mask = group_mask<L>();
  const bool upper = L::lane() & kHalf, odd = L::lane() & kQuarter;
  float low = (upper ? x[2] : x[0]) + __shfl_xor_sync(mask, upper ? x[0] : x[2], kHalf);
  const float high = (upper ? x[3] : x[1]) + __shfl_xor_sync(mask, upper ? x[1] : x[3], kHalf);
  low = (odd ? high : low) + __shfl_xor_sync(mask, odd ? low : high, kQuarter);
#pragma unroll
  for (int step = kQuarter / 2; step > 0; step /= 2) low += __shfl_xor_sync(mask, low, step);
  return __shfl_sync(mask, low, L::lane() % 4 * kQuarter, L::kLanes);
}

// The value in lane `from` of the group.
template <class L, class T>
__device__ T broadcast(T x, int from) {
  return __shfl_sync(group_mask<L>(), x, from, L::kLanes);
}

// 1 / x to one unit in the last place; 0 for x past 2^126.
__device__ inline float reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Calls f with the smallest layout that fits `width`: f(Layout<...>{}).
template <class F>
void with_layout(int64_t width, bool aligned, F f) {
  const auto with = [&]<int kLanes, int kVectors>() {
    if (aligned && width == Layout<kLanes, kVectors, true>::kWidth) {
      f(Layout<kLanes, kVectors, true>{});
    } else {
      f(Layout<kLanes, kVectors, false>{});
    }
  };
  if (width <= 16) return with.template operator()<4, 1>();
  if (width <= 32) return with.template operator()<8, 1>();
  if (width <= 64) return with.template operator()<16, 1>();
  if (width <= 128) return with.template operator()<32, 1>();
  if (width <= 256) return with.template operator()<32, 2>();
  if (width <= 512) return with.template operator()<32, 4>();
  if (width <= 1024) return with.template operator()<32, 8>();
  with.template operator()<32, 16>();
}

}  // namespace geniepath::kernels::cuda
