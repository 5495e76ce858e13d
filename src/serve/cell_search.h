// Search by any column:
//   text             ids and categories that contain it, and numbers other than 0 that equal it
//   column:text      the same in one column, also numbers that are 0; id, type and label are columns, too
//   column>number    column<number    numbers, and dates such as 2024-05-01
// Upper and lower case of ASCII letters are the same, except in ids.
#pragma once

#include <functional>
#include <string>

#include "report/node_facts.h"
#include "report/reasons.h"

namespace geniepath::serve {

// Whether a node matches. `facts` and `columns` must outlive the result.
std::function<bool(NodeId)> cell_search(const std::string& text, const report::NodeFacts& facts, const report::Columns& columns);

}  // namespace geniepath::serve
