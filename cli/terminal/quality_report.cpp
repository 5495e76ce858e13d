#include "terminal/quality_report.h"

#include "report/path_quality_text.h"
#include "terminal/text.h"

namespace geniepath::cli {

std::string quality_text(const PathQuality& quality) {
  std::string text = report::attention_sentence(quality) + "\n\nOver " + report::quality_scope(quality) + ":\n";
  for (const report::Rows& rows :
       {report::quality_rows(quality), report::layer_rows(quality), report::memory_rows(quality)}) {
    if (rows.size() > 1) text += "\n" + table(rows);
  }
  return text;
}

}  // namespace geniepath::cli
