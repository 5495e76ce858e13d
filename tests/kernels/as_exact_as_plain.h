// The error bound of f32 kernels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "graphs_that_hurt.h"

namespace geniepath::testing {

// At most twice the error of the plain formula in f32, with a floor of a few units in the last place.
inline void expect_as_exact_as_plain(const std::vector<float>& found, const std::vector<float>& plain,
                                     const std::vector<double>& exact, const char* what) {
  const double floor = 4e-6 * std::max(1.0, largest_of(exact));
  EXPECT_LE(distance(found, exact), std::max(2 * distance(plain, exact), floor)) << what;
}

}  // namespace geniepath::testing
