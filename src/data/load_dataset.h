// load_dataset for callers who also have the options of a user's own tables.
#pragma once

#include "data/tables.h"
#include "geniepath/data.h"

namespace geniepath {

// `tables` is looked at where options.data is "tables".
Dataset load_dataset(const DataOptions& options, const TableOptions& tables);

}  // namespace geniepath
