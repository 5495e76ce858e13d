// Measuring the quality of a run's attention, shared by evaluate and report.
#pragma once

#include <CLI/CLI.hpp>

#include "arguments/run_arguments.h"
#include "geniepath/path_quality.h"
#include "terminal/console.h"

namespace geniepath::cli {

struct QualityArguments {
  PathQualityOptions options;

  void bind(CLI::App& command);
  // Shows which node is being measured, once that has taken a second.
  static PathProgress progress(ProgressLine& line);
};

// paths.json of a finished run. Measured on other data, or while the run trains, the quality is not recorded.
class QualityRecord {
 public:
  // An Error if the file will have to be written but cannot be.
  QualityRecord(const RunArguments& arguments, const RunFolder& folder);
  // Writes the file, or says on stderr why not.
  void write(const PathQuality& quality) const;

 private:
  RunFolder folder_;
  std::string obstacle_;  // empty: the quality is recorded
};

}  // namespace geniepath::cli
