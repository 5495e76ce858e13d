// Scores of rows that come after training: tables of new nodes, joined to the graph that a run was trained on.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/model.h"
#include "geniepath/tables.h"
#include "geniepath/transforms.h"

namespace geniepath GENIEPATH_EXPORT {

// A run's record of the tables it was trained on (RunDescription, RunFolder::transforms()).
struct TrainedTables {
  TableOptions options;
  TableSchema schema;
  FittedTransforms transforms;
};

struct ScoredRows {
  std::vector<std::string> ids;
  std::vector<std::string> types;  // empty if the run has one kind of node
  at::Tensor probabilities;        // f32 [rows, outputs], as from predict() on the joined graph; on the CPU
};

// Reads tables of new rows and scores some of them at a time. Rows of one batch may be joined to each other; the graph
// itself stays as it is. Cells are read as in training: a column that is missing, or of another kind, is an Error.
class RowScorer {
 public:
  // `data`: the training data, prepared; must outlive this. `rows`: the run's table options, in which `nodes` and
  // `edges` name the new tables; no edges: the rows have none. An Error for a run that was not trained on node tables.
  RowScorer(std::shared_ptr<const Model> model, const Dataset& data, TrainedTables trained, TableOptions rows);
  ~RowScorer();

  bool at_end() const;
  double share_read() const;          // of the tables, as if all were of the same size
  ScoredRows next(int64_t most);      // at most this many rows
  void finish();                      // after the last rows: an edge that matches none of them is an Error, or skipped
  // So far: what was assumed, and categories unseen in training, which count as empty; one sentence each.
  std::vector<std::string> notes() const;

  struct EdgeCounts {
    int64_t read = 0;         // rows of the edge tables
    int64_t skipped = 0;      // of these, with an unknown id
    int64_t among_known = 0;  // of these, between nodes of the graph, which stays as it is
  };
  EdgeCounts edges() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace geniepath
