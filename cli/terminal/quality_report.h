// Quality of a run's attention as text for the terminal.
#pragma once

#include <string>

#include "geniepath/path_quality.h"

namespace geniepath::cli {

// The sentence, then tables: figures, layers, hops.
std::string quality_text(const PathQuality& quality);

}  // namespace geniepath::cli
