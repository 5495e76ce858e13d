// Means in place of the empty cells of node tables.
#pragma once

#include <span>

#include "geniepath/dataset.h"
#include "geniepath/tables.h"

namespace geniepath {

// Sets the schema's means to those over the training nodes, so that nothing is learned from other rows, and fills the
// marked cells with them anew. For a table that lists no training node: over all of its nodes, or 0 where parts of the
// graph are unseen while training. `data` and `schema` are of one load; without means, nothing happens.
void learn_means(std::span<const NodeId> train, TableSchema& schema, Dataset& data);

}  // namespace geniepath
