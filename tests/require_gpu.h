// Skips GPU tests, with a message, where there is no GPU or the build has no CUDA.
#pragma once

#include <gtest/gtest.h>

#include "geniepath/device.h"
#include "geniepath/error.h"

namespace geniepath::testing {

inline std::string why_no_gpu() {
  try {
    device_named("cuda");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace geniepath::testing

#define REQUIRE_GPU() \
  if (const std::string why = geniepath::testing::why_no_gpu(); !why.empty()) GTEST_SKIP() << why
