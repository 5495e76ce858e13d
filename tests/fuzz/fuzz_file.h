// A file of a fuzzer's own for readers that take a path: written anew for every input, removed at the end.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace geniepath::testing {

class FuzzFile {
 public:
  explicit FuzzFile(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("geniepath_fuzz_" + std::to_string(::getpid()) + "_" + name)) {}
  ~FuzzFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  FuzzFile(const FuzzFile&) = delete;
  FuzzFile& operator=(const FuzzFile&) = delete;

  const std::filesystem::path& write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary) << bytes;
    return path_;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace geniepath::testing
