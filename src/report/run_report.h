// One page about a training run: curves, scores, and what the model attends to.
#pragma once

#include <string>

#include "geniepath/run.h"

namespace geniepath::report {

// `data` as the run's own was prepared. A model that does not attend to neighbours gets a report without paths.
std::string run_report(const RunFolder& folder, const Dataset& data);

}  // namespace geniepath::report
