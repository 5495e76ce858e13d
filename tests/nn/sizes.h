// Sizes of the small models in tests.
#pragma once

#include <cstdint>

namespace geniepath::testing {

constexpr int64_t kFeatures = 4, kOutputs = 3;

}  // namespace geniepath::testing
