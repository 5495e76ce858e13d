#include "terminal/table_report.h"

#include <iostream>

#include "terminal/text.h"

namespace geniepath::cli {

void say_tables(const TableReport& report, const std::string& data) {
  if (data != "tables") return;
  for (const std::string& note : report.notes) std::cerr << "data   " << terminal(note) << "\n";
  std::cerr << "edges  " << grouped(report.edges) << " read, " << grouped(report.skipped) << " skipped, "
            << grouped(report.merged) << " merged, " << grouped(report.self_loops, "self-loop") << "; "
            << grouped(report.without_edges, "node") << " without edges\n";
}

}  // namespace geniepath::cli
