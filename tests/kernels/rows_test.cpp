#include "kernels/rows.h"

#include <gtest/gtest.h>

#include "graphs_that_hurt.h"

namespace geniepath::kernels {
namespace {

TEST(RowPlan, CoversEveryRowAndEdgeOnceAndSplitsHubs) {
  for (const auto& [name, graph] : testing::graphs_that_hurt()) {
    SCOPED_TRACE(name);
    const Rows rows = testing::incoming_rows(graph);
    const RowPlan plan = plan_rows(rows);
    int64_t next_edge = 0, next_row = 0, next_slot = 0;
    for (const RowTask& task : plan.tasks) {
      EXPECT_EQ(task.edge_begin, next_edge);
      EXPECT_TRUE(task.row_begin == next_row || (task.slot >= 0 && task.row_begin == next_row - 1));
      EXPECT_EQ(task.slot, task.slot < 0 ? -1 : next_slot);
      next_slot += task.slot >= 0;
      next_edge = task.edge_end, next_row = task.row_end;
    }
    EXPECT_EQ(next_edge, rows.num_edges());
    EXPECT_EQ(next_row, rows.count);
    EXPECT_EQ(next_slot, plan.num_slots);
    int64_t pieces = 0;
    for (const LongRow& row : plan.long_rows) {
      pieces += row.task_end - row.task_begin;
      for (int64_t t = row.task_begin; t < row.task_end; ++t) {
        EXPECT_EQ(plan.tasks[static_cast<size_t>(t)].row_begin, row.row);
        EXPECT_GE(plan.tasks[static_cast<size_t>(t)].slot, 0);
      }
    }
    EXPECT_EQ(pieces, plan.num_slots);
  }
  EXPECT_GT(plan_rows(testing::incoming_rows(testing::star_graph(3000))).num_slots, 1);
}

}  // namespace
}  // namespace geniepath::kernels
