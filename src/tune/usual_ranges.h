// Ranges to search where none are given.
#pragma once

#include <string>
#include <vector>

#include "base/given_options.h"
#include "geniepath/run.h"

namespace geniepath::tune {

// Ranges of the options that matter most to the model, as texts for Range::parse(). Options that were given, and those
// without an effect on this run, have none.
std::vector<std::string> usual_ranges(const Recipe& recipe, const IsGiven& given);

}  // namespace geniepath::tune
