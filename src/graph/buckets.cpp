#include "graph/buckets.h"

#include <algorithm>
#include <numeric>

namespace geniepath {

Buckets::Buckets(int64_t num_rows, int64_t entries) : rows(num_rows) {
  constexpr int64_t kEntries = int64_t{1} << 16, kMost = 2048;
  const int64_t wanted = std::clamp<int64_t>(entries / kEntries, 1, kMost);
  while ((rows >> shift) >= wanted && (rows >> shift) > 0) ++shift;
  count = rows == 0 ? 0 : of(rows - 1) + 1;
}

int64_t chunk_size(int64_t entries) {
  constexpr int64_t kLeast = int64_t{1} << 16;
  return std::max(kLeast, (entries + kMostChunks - 1) / kMostChunks);
}

void BucketPlaces::number(int64_t chunks) {
  begin_.reserve(buckets_ + 1);
  int64_t next = 0;
  for (size_t b = 0; b < buckets_; ++b) {
    begin_.push_back(next);
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      int64_t& place = of_chunk(chunk)[b];
      const int64_t entries = place;
      place = next;
      next += entries;
    }
  }
  begin_.push_back(next);
}

void accumulate(int64_t* offset, int64_t rows) {
  constexpr int64_t kGrain = int64_t{1} << 18;
  offset[0] = 0;
  std::vector<int64_t> before(static_cast<size_t>((rows + kGrain - 1) / kGrain) + 1, 0);
  in_parallel(rows, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t r = begin + 1; r < end; ++r) offset[r + 1] += offset[r];
    before[static_cast<size_t>(begin / kGrain) + 1] = offset[end];
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  in_parallel(rows, kGrain, [&](int64_t begin, int64_t end) {
    const int64_t more = before[static_cast<size_t>(begin / kGrain)];
    for (int64_t r = begin; r < end; ++r) offset[r + 1] += more;
  });
}

}  // namespace geniepath
