// Features of nodes about which nothing is known but who they are: the identity, one 1 a row.
#pragma once

#include "geniepath/dataset.h"

namespace geniepath {

SparseMatrix one_hot_ids(NodeId nodes);

}  // namespace geniepath
