// What a fuzz target is made of. A target is one file with LLVMFuzzerTestOneInput, and one line in CMakeLists.txt.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>

#include "geniepath/dataset.h"
#include "geniepath/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace geniepath::fuzz {

// What the last input was refused with; empty where it was read.
inline std::string refusal;

// Runs a loader on an input. An Error is a right answer; any other exception, or a crash, is a bug found.
template <class Load>
int only_errors(Load load) {
  refusal.clear();
  try {
    load();
  } catch (const Error& error) {
    refusal = error.what();
  }
  return 0;
}

// For loaders that let nothing through: a data set that is not valid is a bug found.
inline void expect_valid(const Dataset& data) {
  try {
    data.validate();
  } catch (const Error& error) {
    throw std::logic_error(std::string("the loader let through: ") + error.what());
  }
}

inline std::span<const std::byte> bytes_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const std::byte*>(data), size};
}

// The input as a file in memory, for loaders that take a path.
class InputFile {
 public:
  InputFile(const uint8_t* data, size_t size) : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, data, size);
      if (written <= 0) std::abort();
      data += written;
      size -= static_cast<size_t>(written);
    }
  }
  ~InputFile() { ::close(descriptor_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace geniepath::fuzz
