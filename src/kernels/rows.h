// Compressed rows for kernels, and their division into tasks of similar size.
#pragma once

#include <cstdint>
#include <vector>

namespace geniepath::kernels {

// Compressed rows: row r lists neighbour[offset[r]] .. neighbour[offset[r+1]-1].
// edge[at], if given, is the id of the edge at that position; otherwise its id is the position.
// Kernels that say so visit only the rows from `first` on, and leave the results of the others as they are.
struct Rows {
  int64_t count = 0;
  const int64_t* offset = nullptr;
  const int32_t* neighbour = nullptr;
  const int64_t* edge = nullptr;
  int64_t first = 0;

  int64_t num_edges() const { return count == 0 ? 0 : offset[count]; }
  int64_t edge_id(int64_t at) const { return edge == nullptr ? at : edge[at]; }
};

// A piece of work: either whole rows [row_begin, row_end), or, if slot >= 0, the edges [edge_begin, edge_end) of
// the one long row row_begin, whose partial result goes to that slot.
struct RowTask {
  int64_t row_begin, row_end;
  int64_t edge_begin, edge_end;
  int64_t slot = -1;
};

// A row too long for one task: its pieces are tasks [task_begin, task_end), in edge order.
struct LongRow {
  int64_t row;
  int64_t task_begin, task_end;
};

struct RowPlan {
  std::vector<RowTask> tasks;
  std::vector<LongRow> long_rows;
  int64_t num_slots = 0;
};

// Divides the rows from `first` on into tasks of similar size; a row longer than a task is split. The plan, and so the
// order of summation, depends only on the rows, not on the number of threads.
RowPlan plan_rows(const Rows& rows);

}  // namespace geniepath::kernels
