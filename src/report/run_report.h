// One page about a training run: curves, scores and attention.
#pragma once

#include <string>

#include "geniepath/run.h"
#include "report/openings.h"

namespace geniepath::report {

// `data` must be prepared as the run's own. A model without attention gets a report without paths.
std::string run_report(const RunFolder& folder, const Dataset& data, const OpeningProgress& progress = {});

}  // namespace geniepath::report
