#include "data/transforms/feature_scaling.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/large_array.h"
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
    const LargeArray<float> value(x.num_nonzeros());
    float* out = value.data();
    for (int64_t r = 0; r < rows; ++r) {
      for_each_in_row(features, r, [&](int64_t k, float v) { *out++ = change(r, k, v); });
    }
    return SparseMatrix{x.rows, x.columns, x.offset, x.column, value.share()};
  }
  at::Tensor result = at::empty_like(features.dense());
  float* out = result.data_ptr<float>();
  for (int64_t r = 0; r < rows; ++r) {
    for_each_in_row(features, r, [&](int64_t k, float v) { *out++ = change(r, k, v); });
  }
  return result;
}

struct ColumnMoments {
  double rows = 0, mean = 0, variance = 0, nonzeros = 0;
  float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;

  float deviation() const { return static_cast<float>(std::sqrt(variance)); }
  bool is_constant() const { return lowest >= highest || deviation() == 0; }

  void add(float value) { lowest = std::min(lowest, value), highest = std::max(highest, value); }

  // Rows in which the column is always 0 do not have it.
  void merge(const ColumnMoments& other) {
    if (other.nonzeros == 0) return;
    if (nonzeros == 0) {
      *this = other;
      return;
    }
    const double all = rows + other.rows, between = mean - other.mean;
    variance =
        (rows * variance + other.rows * other.variance) / all + rows * other.rows * between * between / (all * all);
    mean += (other.mean - mean) * other.rows / all;
    nonzeros += other.nonzeros;
    rows = all;
    lowest = std::min(lowest, other.lowest), highest = std::max(highest, other.highest);
  }
};

// In f64; implicit zeros of sparse features count.
std::vector<ColumnMoments> moments_of(const Features& features, std::span<const NodeId> rows) {
  const auto count = static_cast<double>(rows.size());
  std::vector<ColumnMoments> columns(static_cast<size_t>(features.num_features()));
  std::vector<double> seen(columns.size(), 0);
  for (const NodeId r : rows) {
    for_each_in_row(features, r, [&](int64_t k, float v) { columns[static_cast<size_t>(k)].mean += v / count; });
  }
  for (const NodeId r : rows) {
    for_each_in_row(features, r, [&](int64_t k, float v) {
      ColumnMoments& column = columns[static_cast<size_t>(k)];
      column.variance += (v - column.mean) * (v - column.mean) / count;
      column.nonzeros += v != 0 ? 1 : 0;
      column.add(v);
      seen[static_cast<size_t>(k)] += 1;
    });
  }
  for (size_t k = 0; k < columns.size(); ++k) {
    columns[k].rows = count;
    columns[k].variance += (count - seen[k]) / count * columns[k].mean * columns[k].mean;
    if (seen[k] < count) columns[k].add(0);
  }
  return columns;
}

}  // namespace

FeatureMoments feature_moments(const Features& given, std::span<const std::vector<NodeId>> kinds) {
  const Features features = given.is_sparse() ? given : Features(given.dense().contiguous());
  const auto width = static_cast<size_t>(features.num_features());
  std::vector<ColumnMoments> columns(width);
  for (const std::vector<NodeId>& rows : kinds) {
    const std::vector<ColumnMoments> of_kind = moments_of(features, rows);
    for (size_t k = 0; k < width; ++k) columns[k].merge(of_kind[k]);
  }
  FeatureMoments moments{at::zeros({features.num_features()}), at::ones({features.num_features()}),
                         at::zeros({features.num_features()}, at::kByte), kinds.size() == 1};
  for (size_t k = 0; k < width; ++k) {
    const ColumnMoments& column = columns[k];
    moments.mean.data_ptr<float>()[k] = static_cast<float>(column.mean);
    if (column.is_constant()) continue;
    moments.deviation.data_ptr<float>()[k] = column.deviation();
    moments.never_zero.data_ptr<uint8_t>()[k] = column.nonzeros == column.rows ? 1 : 0;
  }
  return moments;
}

Features standardise(const Features& features, const FeatureMoments& moments) {
  const float *m = moments.mean.data_ptr<float>(), *d = moments.deviation.data_ptr<float>();
  const uint8_t* never_zero = moments.never_zero.data_ptr<uint8_t>();
  const bool sparse = features.is_sparse();
  return map_entries(features, [&](int64_t, int64_t k, float v) {
    if (never_zero[k] != 0) return v == 0 && !moments.zero_is_value ? 0 : (v - m[k]) / d[k];
    return (sparse ? v : v - m[k]) / d[k];
  });
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
