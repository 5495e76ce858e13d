// Feature columns that tell nothing or too much: constant ones, copies of the label, columns filled in for one class
// alone, ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace geniepath {

// The features of one table's rows, in compressed rows. Sources are its columns of numbers and categories.
struct TableBlock {
  struct Source {
    std::string name;
    int64_t first = 0;  // feature
    int64_t size = 1;   // features; as many as categories
    bool is_number = true;
  };
  std::vector<Source> sources;         // by ascending first feature, side by side from the block's first feature on
  std::span<const int64_t> offset;     // one more than rows; positions in column and value
  std::span<const int32_t> column;
  std::span<const float> value;
};

// One sentence per suspicious column. `label` has one number per row, negative: unlabelled; empty: no labels to
// compare.
std::vector<std::string> suspicious_columns(const TableBlock& block, std::span<const int32_t> label);

}  // namespace geniepath
