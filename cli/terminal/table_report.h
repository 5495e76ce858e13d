// Findings from loading a user's tables, on stderr.
#pragma once

#include "geniepath/tables.h"

namespace geniepath::cli {

// One line per note, and one of counts. Nothing for data that is not from tables.
void say_tables(const TableReport& report, const std::string& data);

}  // namespace geniepath::cli
