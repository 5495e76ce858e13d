// Location of the published data sets, for tests on the real files: the folder named by the environment variable
// GENIEPATH_DATA, or ../shared/data beside the source tree.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace geniepath::testing {

inline std::filesystem::path real_data(const std::string& name) {
  const char* folder = std::getenv("GENIEPATH_DATA");
  const auto source_tree = std::filesystem::path(__FILE__).parent_path().parent_path();
  return (folder != nullptr ? std::filesystem::path(folder) : source_tree / "../shared/data") / name;
}

}  // namespace geniepath::testing

// Within a test: REQUIRE_REAL_DATA(folder, "planetoid") defines `folder`, or skips the test.
#define REQUIRE_REAL_DATA(folder, name)                                                                 \
  const std::filesystem::path folder = geniepath::testing::real_data(name);                             \
  if (!std::filesystem::exists(folder)) {                                                               \
    GTEST_SKIP() << folder << " is not there; set GENIEPATH_DATA to the folder that holds '" << (name) << "'"; \
  }
