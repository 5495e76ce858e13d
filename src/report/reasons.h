// Reasons for a node's score: shares of its own columns and of those of the nodes along its paths, and a verdict in
// words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "geniepath/explain.h"
#include "report/explanation_json.h"
#include "report/node_facts.h"
#include "report/typical_nodes.h"

namespace geniepath::report {

// How a run is shown, beyond what it records.
struct Presentation {
  std::optional<Features> raw{};             // its features as loaded; none: as prepared
  std::vector<std::string> class_names{};    // chosen by the user; empty: the run's own
  bool own_data = false;                     // whether it is shown on the data it was trained on
  std::optional<double> threshold{};         // of binary and multi-label predictions; none: Predictor::threshold()
};

// The columns of a data set and what is usual in them.
struct Columns {
  // Both must outlive this; `raw` as in TableCells.
  Columns(const Dataset& data, Features raw, const TableOptions& options, const TableSchema& schema)
      : cells(data, std::move(raw), options, schema), typical(data, cells), prepared(data.features) {}

  TableCells cells;
  TypicalNodes typical;
  Features prepared;
};

// Share of a column in the score, in probability: what the node's own cell and those of the other nodes along the paths
// add compared with typical nodes.
struct ColumnShare {
  size_t column = 0;
  double own = 0, others = 0;
  double size() const;
};

struct FeatureShares {
  double score = 0, typical = 0, gap = 0;  // all shares add up to score - typical - gap
  std::vector<ColumnShare> columns;  // largest first; columns without a share that the node does not have are left out
  std::vector<double> nodes;               // of each node of the explanation
};

// The shares in the score of the class to show. `original`: the number of each of the explainer's nodes in the data of
// `columns`; empty: the same. None if the data has no columns, or too many to attribute to.
std::optional<FeatureShares> feature_shares(const NodeFacts& facts, const Explainer& explainer,
                                            const Explanation& explanation, const Columns& columns,
                                            std::span<const NodeId> original = {});

// The contents of an answer of /api/v1/nodes/{id}/reasons.
struct Reasons {
  std::string verdict;
  std::vector<NodeId> neighbours;  // named by the verdict
  std::optional<double> without;   // the score if the node did not attend to them; none if there are none
  std::optional<FeatureShares> features;
};

Reasons reasons_of(const NodeFacts& facts, const Explainer& explainer, const Explanation& explanation,
                   const Columns& columns, std::span<const NodeId> original = {});

// `most`: number of columns listed.
Json reasons_json(const NodeFacts& facts, const Explanation& explanation, const Reasons& reasons,
                  const Columns& columns, NodeId original, int64_t most);

// "190, higher than 98 % of its kind", or the category with its share; "empty".
std::string usual_text(const Columns& columns, const FeatureColumn& column, NodeId original);

// The largest shares as a table, at most `most` rows: column, value, typical, own share, others' share.
std::vector<std::vector<std::string>> share_rows(const FeatureShares& shares, const Columns& columns, NodeId original,
                                                 size_t most);

// The verdict and the largest shares: as lines of text, and as part of a page.
std::vector<std::string> reason_lines(const Reasons& reasons, const Columns& columns, NodeId original);
std::string reasons_html(const Reasons& reasons, const Columns& columns, NodeId original);

// "All columns together: 0.920 here, 0.310 for a typical node."
std::string shares_sentence(const FeatureShares& shares);

}  // namespace geniepath::report
