// What a finished run decides binary and multi-label predictions at.
#pragma once

#include <optional>

#include "geniepath/run.h"

namespace geniepath::run {

// As result.json has it; nothing where the run was never finished.
std::optional<double> run_threshold(const RunFolder& folder);

// The same, or 0.5.
inline double run_threshold_or_half(const RunFolder& folder) { return run_threshold(folder).value_or(0.5); }

}  // namespace geniepath::run
