// All nodes as a queue to work through: filtered, sorted, in pages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/csv_writer.h"
#include "report/explanation_json.h"
#include "report/node_facts.h"
#include "report/openings.h"
#include "report/reasons.h"
#include "serve/request.h"

namespace geniepath::serve {

struct QueueQuery {
  std::string text;                         // as in cell_search.h
  std::string type, split, label, predicted;  // "": any; label "-": none
  double from = 0, to = 1;                  // of the score
  bool disagree = false;                    // only nodes whose label is not predicted
  bool decided = false;                     // only nodes that their paths decide, of those tried
  std::string sort = "score";               // score, degree, id, change, type, split, label, predicted, column:NAME
  bool up = false;                          // smallest first

  bool needs_tried() const { return decided || sort == "change"; }
};

// Reads the parameters; a malformed one is an ApiError (400).
QueueQuery queue_query(Parameters& parameters);

class NodeQueue {
 public:
  // All must outlive this. `by_score`: all nodes, highest score first.
  NodeQueue(const report::NodeFacts& facts, const report::Columns& columns, const at::Tensor& probabilities,
            const std::vector<NodeId>& by_score)
      : facts_(facts), columns_(columns), probabilities_(probabilities), by_score_(by_score) {}

  // `tried`: nodes whose paths were taken away, for queries that need them. Nodes without a value to sort by are last.
  // A column that does not exist is an ApiError (400).
  std::vector<NodeId> matching(const QueueQuery& query, const std::vector<report::DecidedNode>& tried) const;

 private:
  const report::NodeFacts& facts_;
  const report::Columns& columns_;
  const at::Tensor& probabilities_;
  const std::vector<NodeId>& by_score_;
};

// "columns" and "cells" of a page of nodes, as in web/openapi.json.
report::Json queue_cells(const report::Columns& columns, std::span<const NodeId> nodes);

// id, type, split, label, predicted, score, degree, then the columns of the data, at most 200.
std::string queue_csv(const report::NodeFacts& facts, const report::Columns& columns, const std::vector<NodeId>& nodes);

}  // namespace geniepath::serve
