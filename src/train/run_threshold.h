// What a finished run decides binary and multi-label predictions at.
#pragma once

#include <optional>

#include "geniepath/train.h"

namespace geniepath::training {

// As result.json has it; nothing where the run was never finished.
std::optional<double> run_threshold(const RunFolder& folder);

}  // namespace geniepath::training
