// Measuring the quality of a run's attention, shared by evaluate and report.
#pragma once

#include <CLI/CLI.hpp>

#include "geniepath/path_quality.h"
#include "geniepath/run.h"
#include "terminal/console.h"

namespace geniepath::cli {

struct QualityArguments {
  PathQualityOptions options;

  void bind(CLI::App& command);
  // Shows which node is being measured, once that has taken a second.
  static PathProgress progress(ProgressLine& line);
};

// paths.json of a finished run. Measured on other data or other weights, while the run trains or in a read-only folder,
// the quality is not recorded.
class QualityRecord {
 public:
  // To be made before the weights are read. An Error if the file cannot be written for another reason.
  QualityRecord(const RunFolder& folder, bool own_data);
  // Writes the file, or says on stderr why not.
  void write(const PathQuality& quality) const;

 private:
  RunFolder folder_;
  std::string weights_;   // checksum of those measured
  std::string obstacle_;  // empty: the quality is recorded
};

}  // namespace geniepath::cli
