#include "arguments/output_file.h"

#include "base/file.h"
#include "geniepath/error.h"
#include "io/csv.h"
#include "report/escape.h"
#include "run/data_files.h"
#include "run/run_files.h"

namespace geniepath::cli {

void check_output(const std::filesystem::path& out, const RunFolder& folder, const RunDescription& run,
                  const std::vector<std::string>& read) {
  check_writable(out);
  for (const char* name : run::kFiles) {
    if (run::lead_to_one(out, folder.file(name)))
      fail("--out ", out.string(), ": a file of the run; choose another name");
  }
  std::vector<std::string> lists = read;
  lists.insert(lists.end(), {run.tables.edges, run.tables.nodes, run.data.data});
  for (const std::string& list : lists) {
    for (const std::string& path : split_list(list)) {
      if (run::lead_to_one(out, path))
        fail("--out ", out.string(), ": data is read from this file; choose another name");
    }
  }
}

std::string output_text(const std::filesystem::path& out) {
  return out == "-" || out == "/dev/stdout" ? "standard output" : report::terminal(out.string());
}

}  // namespace geniepath::cli
