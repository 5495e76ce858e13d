// A tile holds 16 rows of 64 bytes. One instruction adds the product of 16 x 32 of A and 32 x 16 of B to 16 x 16 of C;
// it takes A's tile as 16 rows of 32 elements and B's as 16 rows of 16 pairs, element (2p, n) beside (2p + 1, n).
//   C is computed in blocks of 2 x 2 tiles, so that each loaded tile serves twice. 32 rows of A or 32 columns of B, at
//   most kDepthAtOnce deep, are packed into a strip of such tiles, padded with zeros; B's strips stay in the
//   second-level cache while A's stream past. Sums run in order of depth: a row's bits do not depend on other rows.
// AMX is enabled function by function, so that no inline function of a header is compiled for it.
#include "kernels/cpu/tile_product.h"

#include <immintrin.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#define GENIEPATH_TILES __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512vl")))

namespace geniepath::kernels::cpu {
namespace {

constexpr int64_t kTileLines = 16, kTileDepth = 32, kTileSize = kTileLines * kTileDepth, kTileBytes = 64;
constexpr int64_t kBlock = 2 * kTileLines;
constexpr int64_t kDepthAtOnce = 1024;
constexpr int64_t kColumnsPacked = 512 * 1024,
                  kRowsPacked = 8 * 1024;  // elements: B's strips 1 MiB, A's 16 KiB or one strip

// Rows of A or columns of B, each `depth` elements long, which are contiguous or `stride` apart.
struct Lines {
  const Bf16* data;
  int64_t count, depth, stride;
  bool contiguous;

  Lines from(int64_t line, int64_t at) const {
    return {data + (contiguous ? line * stride + at : at * stride + line), count - line, depth - at, stride,
            contiguous};
  }
};

Lines rows_of(const MatrixView<Bf16>& a) { return {a.data, a.rows, a.columns, a.stride, !a.transposed}; }
Lines columns_of(const MatrixView<Bf16>& b) { return {b.data, b.columns, b.rows, b.stride, b.transposed}; }

enum class TileForm { kLines, kPairs };  // for A's tiles, for B's

constexpr int64_t rounded_up(int64_t x, int64_t to) { return (x + to - 1) / to * to; }

// One bit per element for the first `count`, at most the width of `Mask`.
template <class Mask>
constexpr Mask first_of(int64_t count) {
  constexpr int64_t kWidth = 8 * sizeof(Mask);
  return count >= kWidth ? static_cast<Mask>(~Mask{0}) : static_cast<Mask>((Mask{1} << count) - 1);
}

// 16 x 16 elements of 32 bits: in each of four rounds, elements that differ in one bit of both indices are swapped.
GENIEPATH_TILES inline void transpose(__m512i* row) {
  const __m512i lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#pragma GCC unroll 4
  for (int bit = 1; bit < 16; bit *= 2) {
    const __m512i ahead = _mm512_add_epi32(lane, _mm512_set1_epi32(bit));
    const __mmask16 set = _mm512_test_epi32_mask(lane, _mm512_set1_epi32(bit));
    const __m512i upper = _mm512_mask_add_epi32(lane, set, lane, _mm512_set1_epi32(16 - bit));
    const __m512i lower = _mm512_mask_add_epi32(ahead, set, lane, _mm512_set1_epi32(16));
#pragma GCC unroll 16
    for (int r = 0; r < 16; ++r) {
      if ((r & bit) != 0) continue;
      const __m512i above = row[r], below = row[r + bit];
      row[r] = _mm512_permutex2var_epi32(above, upper, below);
      row[r + bit] = _mm512_permutex2var_epi32(above, lower, below);
    }
  }
}

// One line per register, a pair of depths per element.
GENIEPATH_TILES inline void load_lines(const Lines& lines, __m512i* row) {
  const auto depths = first_of<__mmask32>(lines.depth);
#pragma GCC unroll 16
  for (int64_t r = 0; r < kTileLines; ++r) {
    row[r] =
        _mm512_maskz_loadu_epi16(r < lines.count ? depths : 0, lines.data + (r < lines.count ? r * lines.stride : 0));
  }
}

constexpr __mmask16 kAll = 0xffff;  // plain forms of the intrinsics that take it make gcc 12 warn (GCC bug 105593)

GENIEPATH_TILES inline __m512i load_depth(const Lines& lines, int64_t at, __mmask16 wanted) {
  const bool there = at < lines.depth;
  const __m256i loaded = _mm256_maskz_loadu_epi16(there ? wanted : 0, lines.data + (there ? at * lines.stride : 0));
  return _mm512_maskz_cvtepu16_epi32(kAll, loaded);
}

// A pair of depths per register, one line per element.
GENIEPATH_TILES inline void load_pairs(const Lines& lines, __m512i* row) {
  const auto wanted = first_of<__mmask16>(lines.count);
#pragma GCC unroll 16
  for (int64_t p = 0; p < kTileLines; ++p) {
    const __m512i even = load_depth(lines, 2 * p, wanted), odd = load_depth(lines, 2 * p + 1, wanted);
    row[p] = _mm512_or_si512(even, _mm512_maskz_slli_epi32(kAll, odd, 16));
  }
}

GENIEPATH_TILES void pack_tile(const Lines& lines, TileForm form, Bf16* tile) {
  __m512i row[kTileLines];
  if (lines.contiguous) {
    load_lines(lines, row);
  } else {
    load_pairs(lines, row);
  }
  if (lines.contiguous != (form == TileForm::kLines)) transpose(row);
#pragma GCC unroll 16
  for (int64_t r = 0; r < kTileLines; ++r) _mm512_store_si512(tile + r * kTileDepth, row[r]);
}

// The first 32 lines, `depth` deep: two tiles per step of depth.
void pack_strip(const Lines& lines, int64_t depth, TileForm form, Bf16* strip) {
  for (int64_t at = 0; at < depth; at += kTileDepth) {
    for (int64_t line = 0; line < kBlock; line += kTileLines, strip += kTileSize) {
      Lines part = lines.from(std::min(line, lines.count), at);
      part.depth = depth - at;
      pack_tile(part, form, strip);
    }
  }
}

// gcc does not track the memory that tiles are loaded from: earlier writes must be complete.
inline void finish_writes() { __asm__ volatile("" ::: "memory"); }

// Palette 1, eight whole tiles: 0 to 3 for C, 4 and 5 for A, 6 and 7 for B.
GENIEPATH_TILES void configure_tiles() {
  struct alignas(64) {
    uint8_t palette = 1, start_row = 0, reserved[14] = {};
    uint16_t row_bytes[16] = {};
    uint8_t rows[16] = {};
  } config;
  std::fill_n(config.row_bytes, 8, static_cast<uint16_t>(kTileBytes));
  std::fill_n(config.rows, 8, static_cast<uint8_t>(kTileLines));
  finish_writes();
  _tile_loadconfig(&config);
}

GENIEPATH_TILES void multiply_block(const Bf16* a, const Bf16* b, int64_t depth, float* c, int64_t stride, bool add) {
  const int64_t bytes = stride * static_cast<int64_t>(sizeof(float));
  float* below = c + kTileLines * stride;
  finish_writes();
  if (add) {
    _tile_loadd(0, c, bytes);
    _tile_loadd(1, c + kTileLines, bytes);
    _tile_loadd(2, below, bytes);
    _tile_loadd(3, below + kTileLines, bytes);
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  for (int64_t at = 0; at < depth; at += kTileDepth, a += 2 * kTileSize, b += 2 * kTileSize) {
    _tile_loadd(4, a, kTileBytes);
    _tile_loadd(6, b, kTileBytes);
    _tile_loadd(5, a + kTileSize, kTileBytes);
    _tile_loadd(7, b + kTileSize, kTileBytes);
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_stored(0, c, bytes);
  _tile_stored(1, c + kTileLines, bytes);
  _tile_stored(2, below, bytes);
  _tile_stored(3, below + kTileLines, bytes);
}

// A block at the edge of C, of which only `rows` and `columns` exist.
void multiply_edge(const Bf16* a, const Bf16* b, int64_t depth, float* c, int64_t stride, bool add, int64_t rows,
                   int64_t columns) {
  alignas(64) float whole[kBlock * kBlock] = {};
  for (int64_t r = 0; add && r < rows; ++r) std::copy_n(c + r * stride, columns, whole + r * kBlock);
  multiply_block(a, b, depth, whole, kBlock, add);
  for (int64_t r = 0; r < rows; ++r) std::copy_n(whole + r * kBlock, columns, c + r * stride);
}

// Memory for strips, kept for the thread's lifetime.
class Strips {
 public:
  Bf16* hold(int64_t elements) {
    const auto bytes = static_cast<size_t>(rounded_up(elements * static_cast<int64_t>(sizeof(Bf16)), kTileBytes));
    if (bytes > bytes_) {
      data_.reset(static_cast<Bf16*>(std::aligned_alloc(kTileBytes, bytes)));
      bytes_ = data_ == nullptr ? 0 : bytes;
      if (data_ == nullptr) throw std::bad_alloc();
    }
    return data_.get();
  }

 private:
  struct Free {
    void operator()(Bf16* data) const { std::free(data); }
  };
  std::unique_ptr<Bf16, Free> data_;
  size_t bytes_ = 0;
};

// One packed strip of rows times the packed columns.
void multiply_strip(const Bf16* a, int64_t rows, const Bf16* packed, int64_t columns, int64_t padded, float* c,
                    int64_t stride, bool add) {
  for (int64_t column = 0; column < columns; column += kBlock) {
    const Bf16* b = packed + column * padded;
    const int64_t wide = std::min(kBlock, columns - column);
    if (rows == kBlock && wide == kBlock) {
      multiply_block(a, b, padded, c + column, stride, add);
    } else {
      multiply_edge(a, b, padded, c + column, stride, add, rows, wide);
    }
  }
}

// All rows times the packed columns. Several short strips are packed before the first is used, since loading a tile
// stalls on recent writes to its memory.
void multiply_packed(const Lines& rows, const Bf16* packed, int64_t columns, int64_t depth, float* c, int64_t stride,
                     bool add) {
  thread_local Strips strips;
  const int64_t padded = rounded_up(depth, kTileDepth), at_once = rounded_up(kRowsPacked / padded, kBlock);
  Bf16* a = strips.hold(at_once * padded);
  for (int64_t begin = 0; begin < rows.count; begin += at_once) {
    const int64_t end = std::min(begin + at_once, rows.count);
    for (int64_t row = begin; row < end; row += kBlock) {
      pack_strip(rows.from(row, 0), depth, TileForm::kLines, a + (row - begin) * padded);
    }
    for (int64_t row = begin; row < end; row += kBlock) {
      multiply_strip(a + (row - begin) * padded, std::min(kBlock, end - row), packed, columns, padded, c + row * stride,
                     stride, add);
    }
  }
}

}  // namespace

GENIEPATH_TILES void tile_product(const MatrixView<Bf16>& a, const MatrixView<Bf16>& b, float* c, int64_t c_stride,
                                  bool accumulate) {
  thread_local Strips strips;
  const Lines rows = rows_of(a), columns = columns_of(b);
  const int64_t deep = std::min(rounded_up(rows.depth, kTileDepth), kDepthAtOnce);
  const int64_t wide = std::max(kColumnsPacked / deep / kBlock, int64_t{1}) * kBlock;
  configure_tiles();
  for (int64_t column = 0; column < columns.count; column += wide) {
    const int64_t width = std::min(wide, columns.count - column);
    for (int64_t at = 0; at < rows.depth; at += deep) {
      const int64_t depth = std::min(deep, rows.depth - at), padded = rounded_up(depth, kTileDepth);
      Bf16* packed = strips.hold(rounded_up(width, kBlock) * padded);
      for (int64_t n = 0; n < width; n += kBlock) {
        pack_strip(columns.from(column + n, at), depth, TileForm::kPairs, packed + n * padded);
      }
      multiply_packed(rows.from(0, at), packed, width, depth, c + column, c_stride, accumulate || at > 0);
    }
  }
  _tile_release();
}

// Row r of A is 1 + r throughout, B is 1 / depth: row r of C is 1 + r, exactly.
bool tile_product_is_right() {
  alignas(64) Bf16 a[2 * kTileSize], b[2 * kTileSize];
  alignas(64) float c[kBlock * kBlock];
  for (int64_t n = 0; n < 2 * kTileSize; ++n) {
    a[n] = to_bf16(static_cast<float>(1 + n / kTileDepth));
    b[n] = to_bf16(1.0f / kTileDepth);
  }
  configure_tiles();
  multiply_block(a, b, kTileDepth, c, kBlock, false);
  for (int64_t n = 0; n < kBlock * kBlock; ++n) {
    if (c[n] != static_cast<float>(1 + n / kBlock)) return false;
  }
  return true;
}

}  // namespace geniepath::kernels::cpu
