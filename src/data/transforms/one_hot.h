// One-hot node ids (identity matrix) as features.
#pragma once

#include "geniepath/dataset.h"

namespace geniepath {

SparseMatrix one_hot_ids(NodeId nodes);

}  // namespace geniepath
