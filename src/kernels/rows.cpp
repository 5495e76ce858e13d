#include "kernels/rows.h"

#include <algorithm>

namespace geniepath::kernels {
namespace {

constexpr int64_t kFewestEdges = 512, kMostEdges = 8192;  // per task
constexpr int64_t kTasks = 64;                            // enough for balance on small graphs
constexpr int64_t kRowsPerTask = 4096;                    // since even rows without edges have a cost

void split(const Rows& rows, int64_t row, int64_t edges_per_task, RowPlan& plan) {
  const int64_t begin = rows.offset[row], end = rows.offset[row + 1];
  const int64_t pieces = (end - begin + edges_per_task - 1) / edges_per_task;
  const auto first = static_cast<int64_t>(plan.tasks.size());
  plan.long_rows.push_back({row, first, first + pieces});
  for (int64_t piece = 0; piece < pieces; ++piece) {
    plan.tasks.push_back({row, row + 1, begin + (end - begin) * piece / pieces,
                          begin + (end - begin) * (piece + 1) / pieces, plan.num_slots++});
  }
}

}  // namespace

RowPlan plan_rows(const Rows& rows) {
  if (rows.first >= rows.count) return {};
  const int64_t edges_per_task =
      std::clamp((rows.num_edges() - rows.offset[rows.first]) / kTasks, kFewestEdges, kMostEdges);
  RowPlan plan;
  int64_t first = rows.first;
  const auto close = [&](int64_t last) {
    if (last > first) plan.tasks.push_back({first, last, rows.offset[first], rows.offset[last]});
    first = last;
  };
  for (int64_t row = rows.first; row < rows.count; ++row) {
    if (rows.offset[row + 1] - rows.offset[row] > edges_per_task) {
      close(row);
      split(rows, row, edges_per_task, plan);
      first = row + 1;
    } else if (rows.offset[row + 1] - rows.offset[first] > edges_per_task || row - first >= kRowsPerTask) {
      close(row);
    }
  }
  close(rows.count);
  return plan;
}

}  // namespace geniepath::kernels
