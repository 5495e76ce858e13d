// The columns of the run's node tables, by which a request may name features.
#pragma once

#include "geniepath/run.h"
#include "report/explanation_json.h"
#include "serve/score_request.h"

namespace geniepath::serve {

class FeatureColumns {
 public:
  // Empty unless the run was trained on node tables.
  explicit FeatureColumns(const RunDescription& run);

  const ScoreColumns& columns() const { return columns_; }
  // One object per column, as in /api/v1/model.
  report::Json json() const;
  // Turns the cells of named features into features; returns what was read as empty, one sentence per column. A cell
  // that does not match its column is an ApiError (422). May be called from several threads at once.
  std::vector<std::string> read(std::vector<NewNode>& nodes) const;

 private:
  TableOptions options_;
  TableSchema schema_;
  ScoreColumns columns_;
};

}  // namespace geniepath::serve
