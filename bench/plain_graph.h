// A graph's rows as one thread builds them in a few lines: the rival of Graph::from_edges and of the transpose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace geniepath::bench {

struct PlainRows {
  std::vector<int64_t> offset;
  std::vector<int32_t> neighbour;
};

// By target, symmetrised, sorted, duplicates merged: a counting sort by target, then every row sorted.
PlainRows plain_rows(int32_t nodes, std::span<const int32_t> source, std::span<const int32_t> target);

struct PlainTranspose {
  PlainRows rows;
  std::vector<int64_t> edge;
};
PlainTranspose plain_transpose(const PlainRows& rows);

}  // namespace geniepath::bench
