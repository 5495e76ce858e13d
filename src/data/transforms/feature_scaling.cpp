#include "data/transforms/feature_scaling.h"

#include <ATen/ATen.h>

#include <cmath>

#include "geniepath/error.h"

namespace geniepath {
namespace {

// visit(column, value) for every stored entry of a row.
template <class Visit>
void for_each_in_row(const Features& features, int64_t row, const Visit& visit) {
  if (features.is_sparse()) {
    const SparseMatrix& x = features.sparse();
    for (int64_t at = x.offset[row]; at < x.offset[row + 1]; ++at) visit(x.column[at], x.value[at]);
  } else {
    const int64_t width = features.num_features();
    const float* values = features.dense().data_ptr<float>() + row * width;
    for (int64_t k = 0; k < width; ++k) visit(k, values[k]);
  }
}

// The same pattern with new values: entry <- change(row, column, value).
template <class Change>
Features map_entries(const Features& given, const Change& change) {
  const Features features = given.is_sparse() ? given : Features(given.dense().contiguous());
  const int64_t rows = features.num_nodes();
  if (features.is_sparse()) {
    const SparseMatrix& x = features.sparse();
    std::vector<float> value;
    value.reserve(x.value.span().size());
    for (int64_t r = 0; r < rows; ++r) {
      for_each_in_row(features, r, [&](int64_t k, float v) { value.push_back(change(r, k, v)); });
    }
    return SparseMatrix{x.rows, x.columns, x.offset, x.column, std::move(value)};
  }
  at::Tensor result = at::empty_like(features.dense());
  float* out = result.data_ptr<float>();
  for (int64_t r = 0; r < rows; ++r) {
    for_each_in_row(features, r, [&](int64_t k, float v) { *out++ = change(r, k, v); });
  }
  return result;
}

at::Tensor to_tensor(const std::vector<double>& values) {
  at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, at::kFloat);
  for (size_t k = 0; k < values.size(); ++k) tensor.data_ptr<float>()[k] = static_cast<float>(values[k]);
  return tensor;
}

}  // namespace

FeatureMoments feature_moments(const Features& given, std::span<const NodeId> rows) {
  const Features features = given.is_sparse() ? given : Features(given.dense().contiguous());
  const auto width = static_cast<size_t>(features.num_features());
  const auto count = static_cast<double>(rows.size());
  std::vector<double> mean(width, 0), deviation(width, 0), seen(width, 0);
  for (const NodeId r : rows) {
    for_each_in_row(features, r, [&](int64_t k, float v) { mean[static_cast<size_t>(k)] += v / count; });
  }
  for (const NodeId r : rows) {
    for_each_in_row(features, r, [&](int64_t k, float v) {
      const auto at = static_cast<size_t>(k);
      deviation[at] += (v - mean[at]) * (v - mean[at]) / count;
      seen[at] += 1;
    });
  }
  for (size_t k = 0; k < width; ++k) {
    const double variance = deviation[k] + (count - seen[k]) / count * mean[k] * mean[k];  // including the zeros not stored
    const bool constant = variance <= 1e-14 * mean[k] * mean[k];  // rounding error of a constant
    deviation[k] = constant ? 1 : std::sqrt(variance);
  }
  return {to_tensor(mean), to_tensor(deviation)};
}

Features standardise(const Features& features, const at::Tensor& mean, const at::Tensor& deviation) {
  const float* d = deviation.data_ptr<float>();
  if (features.is_sparse()) return map_entries(features, [&](int64_t, int64_t k, float v) { return v / d[k]; });
  const float* m = mean.data_ptr<float>();
  return map_entries(features, [&](int64_t, int64_t k, float v) { return (v - m[k]) / d[k]; });
}

Features row_normalise(const Features& given) {
  const Features features = given.is_sparse() ? given : Features(given.dense().contiguous());
  std::vector<double> sum(static_cast<size_t>(features.num_nodes()), 0);
  for (int64_t r = 0; r < features.num_nodes(); ++r) {
    for_each_in_row(features, r, [&](int64_t, float v) { sum[static_cast<size_t>(r)] += std::abs(v); });
  }
  return map_entries(features, [&](int64_t r, int64_t, float v) {
    const double total = sum[static_cast<size_t>(r)];
    return total > 0 ? static_cast<float>(v / total) : v;
  });
}

Features scale(const Features& features, double factor) {
  return map_entries(features, [&](int64_t, int64_t, float v) { return static_cast<float>(v * factor); });
}

}  // namespace geniepath
