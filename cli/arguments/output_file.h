// The file that a command writes, `--out`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "geniepath/run.h"

namespace geniepath::cli {

// An Error unless `out` can be written without losing what a command on a run reads: the run's own files, the tables or
// the graph file it was trained on, and `read`, lists of other paths separated by commas.
void check_output(const std::filesystem::path& out, const RunFolder& folder, const RunDescription& run,
                  const std::vector<std::string>& read = {});

// What the file is called in messages; - and /dev/stdout are "standard output".
std::string output_text(const std::filesystem::path& out);

}  // namespace geniepath::cli
