// Compressed rows from a list of edges, in parallel.
#pragma once

#include <span>

#include "geniepath/graph.h"

namespace geniepath {

// Rows by target, sources ascending within a row. Edges are grouped by ranges of targets (buckets.h), then each group
// is sorted in cache: two passes over the list, and 8 bytes per edge, half of which become the result. Ids must be
// valid.
Adjacency sorted_rows(NodeId num_nodes, std::span<const NodeId> source, std::span<const NodeId> target,
                      const GraphOptions& options);
Adjacency sorted_rows(NodeId num_nodes, std::span<const int64_t> source, std::span<const int64_t> target,
                      const GraphOptions& options);

// The same for rows that exist: options other than symmetrise keep their order, so nothing is sorted.
Adjacency edited_rows(const Adjacency& rows, const GraphOptions& options);

// The row of every entry.
SharedArray<NodeId> rows_of_entries(const Adjacency& rows);

}  // namespace geniepath
