// Search by any column:
//   text             ids and categories that contain it, and numbers other than 0 that equal it
//   column:text      the same in one column, also numbers that are 0; id, type and label are columns, too
//   column>number    column<number    numbers, and dates such as 2024-05-01
// Upper and lower case of ASCII letters are the same, except in ids; blanks around a sign do not count. A text with a
// sign that names no column is looked for as it is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/node_facts.h"
#include "report/reasons.h"

namespace geniepath::serve {

constexpr size_t kMostListed = 20;  // columns named in a message

// The names of the columns, each once.
std::vector<std::string> column_names(const report::Columns& columns);

// Whether a node matches. `facts` and `columns` must outlive the result. A value that its column cannot have is an
// ApiError (400), and so is the name of no column where no node has the whole text.
std::function<bool(NodeId)> cell_search(const std::string& text, const report::NodeFacts& facts,
                                        const report::Columns& columns);

}  // namespace geniepath::serve
