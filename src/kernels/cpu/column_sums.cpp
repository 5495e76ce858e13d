#include "kernels/cpu/column_sums.h"

#include <algorithm>
#include <vector>

#include "base/parallel_for.h"

namespace geniepath::kernels::cpu {
namespace {

void add(const float* from, int64_t width, double* to) {
  for (int64_t k = 0; k < width; ++k) to[k] += static_cast<double>(from[k]);
}

}  // namespace

void run(const ColumnSums& op) {
  constexpr int64_t kRowsATask = 2048;
  const int64_t tasks = (op.rows + kRowsATask - 1) / kRowsATask;
  std::vector<double> parts(static_cast<size_t>(tasks * op.width)), sums(static_cast<size_t>(op.width));
  parallel_for(op.threads, tasks, [&](int64_t task) {
    const int64_t end = std::min((task + 1) * kRowsATask, op.rows);
    for (int64_t row = task * kRowsATask; row < end; ++row) {
      add(op.x + row * op.width, op.width, parts.data() + task * op.width);
    }
  });
  for (int64_t task = 0; task < tasks; ++task) {
    for (int64_t k = 0; k < op.width; ++k) sums[static_cast<size_t>(k)] += parts[static_cast<size_t>(task * op.width + k)];
  }
  std::transform(sums.begin(), sums.end(), op.sums, [](double sum) { return static_cast<float>(sum); });
}

}  // namespace geniepath::kernels::cpu
