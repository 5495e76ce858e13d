// Entries grouped by ranges of rows, so that sorting each group stays within a core's cache. All divisions depend on
// the numbers of rows and entries alone, so results are the same for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel.h"

namespace geniepath {

// Bucket b holds the rows from b << shift to before (b + 1) << shift.
struct Buckets {
  Buckets(int64_t num_rows, int64_t entries);

  int64_t of(int64_t row) const { return row >> shift; }
  int64_t first_row(int64_t bucket) const { return bucket << shift; }
  int64_t end_row(int64_t bucket) const { return std::min(rows, (bucket + 1) << shift); }

  int64_t rows = 0, count = 0;
  int shift = 0;
};

constexpr int64_t kRowsAtOnce = int64_t{1} << 13;  // of work row by row, per task

// Entries per chunk: each chunk is read by one thread, and counts its entries by bucket before it moves them.
constexpr int64_t kMostChunks = 64;
int64_t chunk_size(int64_t entries);

// Where each chunk writes its entries of each bucket. count(chunk, counts) adds up the entries of a chunk by bucket.
class BucketPlaces {
 public:
  template <class Count>
  BucketPlaces(int64_t chunks, int64_t buckets, const Count& count)
      : buckets_(static_cast<size_t>(buckets)), place_(static_cast<size_t>(chunks) * buckets_) {
    in_parallel(chunks, [&](int64_t chunk) { count(chunk, of_chunk(chunk)); });
    number(chunks);
  }

  // The next place of every bucket, advanced by the caller.
  int64_t* of_chunk(int64_t chunk) { return place_.data() + static_cast<size_t>(chunk) * buckets_; }
  int64_t begin(int64_t bucket) const { return begin_[static_cast<size_t>(bucket)]; }
  int64_t end(int64_t bucket) const { return begin_[static_cast<size_t>(bucket) + 1]; }
  int64_t entries() const { return begin_.back(); }

 private:
  void number(int64_t chunks);  // counts become places

  size_t buckets_;
  std::vector<int64_t> place_, begin_;
};

// Turns the sizes of rows, offset[row + 1], into offsets.
void accumulate(int64_t* offset, int64_t rows);

}  // namespace geniepath
