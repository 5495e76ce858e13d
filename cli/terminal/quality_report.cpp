#include "terminal/quality_report.h"

#include "report/path_quality_text.h"
#include "terminal/text.h"

namespace geniepath::cli {

std::string quality_text(const PathQuality& quality) {
  std::string tables;
  for (const report::Rows& rows :
       {report::quality_rows(quality), report::layer_rows(quality), report::memory_rows(quality)}) {
    if (rows.size() > 1) tables += "\n" + table(rows);
  }
  const std::string scope = tables.empty() ? "" : "\nOver " + report::quality_scope(quality) + ":\n";
  return report::attention_sentence(quality) + "\n" + scope + tables;
}

}  // namespace geniepath::cli
