#include "data/formats/checked_arrays.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "geniepath/error.h"

namespace geniepath {
namespace {

template <class T>
SharedArray<T> share(const at::Tensor& values) {
  auto owner = std::make_shared<const at::Tensor>(values);
  return {std::span<const T>(owner->template data_ptr<T>(), static_cast<size_t>(owner->numel())), owner};
}

}  // namespace

void CheckedArray::check_dimensions(int64_t dimensions) const {
  if (values.dim() != dimensions) {
    fail(where, ": an array of ", values.dim(), " dimensions, expected ", dimensions);
  }
}

SharedArray<int64_t> CheckedArray::integers() const {
  if (!c10::isIntegralType(values.scalar_type(), /*includeBool=*/false)) {
    fail(where, ": dtype ", at::toString(values.scalar_type()), ", expected integers");
  }
  return share<int64_t>(values.to(at::kLong).contiguous());
}

SharedArray<float> CheckedArray::floats() const { return share<float>(values.to(at::kFloat).contiguous()); }

std::vector<int32_t> CheckedArray::ids() const {
  const SharedArray<int64_t> wide = integers();
  const auto bad = std::find_if(wide.begin(), wide.end(), [](int64_t id) { return id < 0 || id >= kMostArrayNodes; });
  if (bad != wide.end()) {
    fail(where, ": entry ", bad - wide.begin(), " is ", *bad, ", expected 0 to ", kMostArrayNodes - 1);
  }
  return {wide.begin(), wide.end()};
}

Features CheckedArray::dense_features() const {
  check_dimensions(2);
  return Features(values.to(at::kFloat).contiguous());
}

void set_labels(Dataset& data, const CheckedArray& array, int64_t nodes) {
  array.check_dimensions(1);
  const SharedArray<int64_t> labels = array.integers();
  if (labels.size() != nodes) fail(array.where, ": ", labels.size(), " labels for ", nodes, " nodes");
  for (int64_t i = 0; i < nodes; ++i) {
    if (labels[i] < -1 || labels[i] >= nodes) {
      fail(array.where, ": node ", i, " has label ", labels[i], ", expected -1 to ", nodes - 1);
    }
    data.num_classes = std::max(data.num_classes, labels[i] + 1);
  }
  data.labels = array.values.to(at::kLong).contiguous();
}

}  // namespace geniepath
