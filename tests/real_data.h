// The published data sets, for tests that assert their counts: in $GENIEPATH_DATA, or in ../shared/data beside the
// project. Where a folder is not there, the test skips itself:
//   const auto folder = testing::real_data("ppi");
//   if (!folder) GTEST_SKIP() << "no ppi: set GENIEPATH_DATA to the folder that holds it";
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace geniepath::testing {

inline std::optional<std::filesystem::path> real_data(const std::string& folder) {
  const char* given = std::getenv("GENIEPATH_DATA");
  const std::filesystem::path root = given != nullptr ? given : GENIEPATH_SOURCE_DIR "/../shared/data";
  std::error_code ignored;
  if (!std::filesystem::is_directory(root / folder, ignored)) return std::nullopt;
  return root / folder;
}

}  // namespace geniepath::testing
