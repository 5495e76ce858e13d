// Arrays of unknown origin as parts of a data set. Every Error begins with the array's place.
#pragma once

#include <ATen/core/Tensor.h>

#include <limits>
#include <string>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath {

inline constexpr int64_t kMostArrayNodes = std::numeric_limits<NodeId>::max();

struct CheckedArray {
  at::Tensor values;
  std::string where;  // file and member, for messages

  void check_dimensions(int64_t dimensions) const;
  SharedArray<int64_t> integers() const;  // an Error for any other type
  std::vector<int32_t> ids() const;       // integers in 0 .. 2^31 - 2; the Error names the first outside
  SharedArray<float> floats() const;
  Features dense_features() const;  // two dimensions
};

// Sets labels [nodes] and num_classes. Classes run from 0, -1 where unknown; there cannot be more of them than nodes.
void set_labels(Dataset& data, const CheckedArray& labels, int64_t nodes);

}  // namespace geniepath
