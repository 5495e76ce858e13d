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
    int64_t edges = 0, next_row = 0;
    for (const RowTask& task : plan.tasks) {
      edges += task.edge_end - task.edge_begin;
      EXPECT_TRUE(task.row_begin == next_row || (task.slot >= 0 && task.row_begin == next_row - 1));
      next_row = task.row_end;
    }
    EXPECT_EQ(edges, rows.num_edges());
    EXPECT_EQ(next_row, rows.count);
    int64_t slots = 0;
    for (const LongRow& row : plan.long_rows) slots += row.task_end - row.task_begin;
    EXPECT_EQ(slots, plan.num_slots);
  }
  EXPECT_GT(plan_rows(testing::incoming_rows(testing::star_graph(3000))).num_slots, 1);
}

}  // namespace
}  // namespace geniepath::kernels
