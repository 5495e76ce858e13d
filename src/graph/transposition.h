// Transposed compressed rows, in parallel.
#pragma once

#include <span>
#include <vector>

#include "base/large_array.h"
#include "geniepath/graph.h"
#include "graph/buckets.h"

namespace geniepath {

// Row c lists the rows that have an entry in column c, ascending, and beside each what its entry carries.
template <class Carried>
struct Transposed {
  LargeArray<EdgeId> offset;  // columns + 1
  LargeArray<NodeId> row;
  LargeArray<Carried> carried;
};

// Entries are grouped by ranges of columns within the result itself, then each group is sorted in cache; 4 bytes per
// entry beside the result. carry(entry): what goes along with an entry, given its position.
template <class Carried, class Carry>
class Transposition {
 public:
  Transposition(std::span<const EdgeId> offset, std::span<const NodeId> column, int64_t columns, const Carry& carry)
      : offset_(offset), column_(column), carry_(carry), first_row_(chunks_of_rows()),
        buckets_(columns, std::ssize(column)),
        places_(std::ssize(first_row_) - 1, buckets_.count,
                [this](int64_t chunk, int64_t* counts) {
                  const auto chunk_entries = column_.subspan(entry(chunk), entry(chunk + 1) - entry(chunk));
                  for (const NodeId c : chunk_entries) ++counts[buckets_.of(c)];
                }),
        column_of_(std::ssize(column)), result_{LargeArray<EdgeId>(columns + 1), LargeArray<NodeId>(std::ssize(column)),
                                                LargeArray<Carried>(std::ssize(column))} {}

  Transposed<Carried> transpose() {
    in_parallel(std::ssize(first_row_) - 1, [this](int64_t chunk) { move_to_buckets(chunk); });
    result_.offset[0] = 0;
    in_parallel(buckets_.count, [this](int64_t bucket) { sort_bucket(bucket); });
    return result_;
  }

 private:
  size_t entry(int64_t chunk) const {
    return static_cast<size_t>(offset_[static_cast<size_t>(first_row_[static_cast<size_t>(chunk)])]);
  }

  // Whole rows, with about as many entries in every chunk.
  std::vector<int64_t> chunks_of_rows() const {
    const int64_t size = chunk_size(std::ssize(column_));
    std::vector<int64_t> first{0};
    for (int64_t entry = size; entry < std::ssize(column_); entry += size) {
      first.push_back(std::lower_bound(offset_.begin(), offset_.end(), entry) - offset_.begin());
    }
    first.push_back(std::ssize(offset_) - 1);
    return first;
  }

  void move_to_buckets(int64_t chunk) {
    int64_t* next = places_.of_chunk(chunk);
    for (int64_t r = first_row_[static_cast<size_t>(chunk)]; r < first_row_[static_cast<size_t>(chunk) + 1]; ++r) {
      for (EdgeId e = offset_[static_cast<size_t>(r)]; e < offset_[static_cast<size_t>(r) + 1]; ++e) {
        const NodeId column = column_[static_cast<size_t>(e)];
        const int64_t at = next[buckets_.of(column)]++;
        column_of_[at] = column;
        result_.row[at] = static_cast<NodeId>(r);
        result_.carried[at] = carry_(e);
      }
    }
  }

  // A stable counting sort of the bucket's entries by column.
  void sort_bucket(int64_t bucket) {
    const int64_t first = buckets_.first_row(bucket), columns = buckets_.end_row(bucket) - first;
    const int64_t begin = places_.begin(bucket), end = places_.end(bucket);
    std::vector<int64_t> next(static_cast<size_t>(columns) + 1, 0);
    for (const NodeId c : column_of_.span(begin, end)) ++next[static_cast<size_t>(c - first) + 1];
    for (int64_t c = 0; c < columns; ++c) {
      next[static_cast<size_t>(c) + 1] += next[static_cast<size_t>(c)];
      result_.offset[first + c + 1] = begin + next[static_cast<size_t>(c) + 1];
    }
    std::vector<NodeId> row(static_cast<size_t>(end - begin));
    std::vector<Carried> carried(row.size());
    for (int64_t at = begin; at < end; ++at) {
      const auto to = static_cast<size_t>(next[static_cast<size_t>(column_of_[at] - first)]++);
      row[to] = result_.row[at];
      carried[to] = result_.carried[at];
    }
    std::copy(row.begin(), row.end(), result_.row.data() + begin);
    std::copy(carried.begin(), carried.end(), result_.carried.data() + begin);
  }

  std::span<const EdgeId> offset_;
  std::span<const NodeId> column_;
  const Carry& carry_;
  std::vector<int64_t> first_row_;  // of every chunk, and the number of rows
  Buckets buckets_;
  BucketPlaces places_;
  LargeArray<NodeId> column_of_;
  Transposed<Carried> result_;
};

template <class Carried, class Carry>
Transposed<Carried> transposed(std::span<const EdgeId> offset, std::span<const NodeId> column, int64_t columns,
                               const Carry& carry) {
  return Transposition<Carried, Carry>(offset, column, columns, carry).transpose();
}

}  // namespace geniepath
