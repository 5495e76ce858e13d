#include "kernels/cpu/column_sums.h"

#include <algorithm>
#include <vector>

#include "base/parallel_for.h"

namespace geniepath::kernels::cpu {
namespace {

constexpr int64_t kTogether = 8;

void add_row(const float* row, int64_t width, double* sums) {
  for (int64_t k = 0; k < width; ++k) sums[k] += static_cast<double>(row[k]);
}

// kTogether rows at once, in f32: the f64 sums are then written an eighth as often.
void add_rows(const float* row, int64_t width, double* sums) {
  for (int64_t k = 0; k < width; ++k) {
    const auto x = [&](int64_t r) { return row[r * width + k]; };
    sums[k] += static_cast<double>(((x(0) + x(1)) + (x(2) + x(3))) + ((x(4) + x(5)) + (x(6) + x(7))));
  }
}

}  // namespace

void run(const ColumnSums& op) {
  constexpr int64_t kRowsATask = 2048;
  const int64_t tasks = (op.rows + kRowsATask - 1) / kRowsATask;
  std::vector<double> parts(static_cast<size_t>(tasks * op.width)), sums(static_cast<size_t>(op.width));
  parallel_for(op.threads, tasks, [&](int64_t task) {
    double* part = parts.data() + task * op.width;
    const int64_t end = std::min((task + 1) * kRowsATask, op.rows);
    int64_t row = task * kRowsATask;
    for (; row + kTogether <= end; row += kTogether) add_rows(op.x + row * op.width, op.width, part);
    for (; row < end; ++row) add_row(op.x + row * op.width, op.width, part);
  });
  for (int64_t task = 0; task < tasks; ++task) {
    for (int64_t k = 0; k < op.width; ++k)
      sums[static_cast<size_t>(k)] += parts[static_cast<size_t>(task * op.width + k)];
  }
  std::transform(sums.begin(), sums.end(), op.sums, [](double sum) { return static_cast<float>(sum); });
}

}  // namespace geniepath::kernels::cpu
