// One-hot node ids (identity matrix) as features.
#pragma once

#include "geniepath/dataset.h"

namespace geniepath {

SparseMatrix one_hot_ids(NodeId nodes);
bool is_one_hot_ids(const Features& features);

}  // namespace geniepath
