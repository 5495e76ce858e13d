// Options of which only some were given.
#pragma once

#include <functional>
#include <string>

#include "geniepath/options.h"

namespace geniepath {

using IsGiven = std::function<bool(const std::string& name)>;

// Replaces in `kept` each option that was given by its value in `values`, which is of the same kind.
void take_given(const Options& values, const IsGiven& given, Options& kept);

}  // namespace geniepath
