// One page about a training run: curves, scores and attention.
#pragma once

#include <optional>
#include <string>

#include "geniepath/path_quality.h"
#include "geniepath/run.h"
#include "report/reasons.h"

namespace geniepath::report {

struct RunReport {
  std::string page;                    // HTML
  std::optional<PathQuality> quality;  // as shown; none without attention or test nodes
};

// `data` must be prepared as the run's own. A model without attention gets a report without paths. `progress` counts
// the nodes of both parts that take long: the quality's sample, and the nodes tried for openings.
RunReport run_report(const RunFolder& folder, const Dataset& data, const PathQualityOptions& options = {},
                     const PathProgress& progress = {}, const Presentation& presentation = {});

}  // namespace geniepath::report
