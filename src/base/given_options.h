// Overriding options by those that were given explicitly.
#pragma once

#include <functional>
#include <string>

#include "geniepath/options.h"

namespace geniepath {

using IsGiven = std::function<bool(const std::string& name)>;

// Copies every option that was given from `values` to `kept`; both are of the same type.
void take_given(const Options& values, const IsGiven& given, Options& kept);

}  // namespace geniepath
