// Parts of a fuzz target. A target is one file NAME_fuzz.cpp with FUZZ_TARGET(NAME), and one line in CMakeLists.txt.
// Random bytes seldom pass a checksum or a grammar: targets named *_built read Choices from the input and assemble a
// file that is valid except for the mistakes they choose.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "geniepath/dataset.h"
#include "geniepath/error.h"

// The head of a target's function. libFuzzer needs one program per target; the short runs are one program with all.
#ifdef GENIEPATH_SHORT_RUNS
#define FUZZ_TARGET(name)                                                                                          \
  static int fuzz_##name(const uint8_t* data, size_t size);                                                        \
  [[maybe_unused]] static const bool added_##name = geniepath::fuzz::targets().emplace(#name, fuzz_##name).second; \
  static int fuzz_##name
#else
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
#define FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput
#endif

namespace geniepath::fuzz {

// By name, for the short runs.
using Target = int (*)(const uint8_t* data, size_t size);
inline std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

// The error of the last input; empty if it was accepted.
inline std::string refusal;

// Runs a loader on an input. An Error is a correct outcome; any other exception, or a crash, is a bug.
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

// For loaders that validate everything: an invalid data set is a bug.
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

inline void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

// An input read as a sequence of decisions; all 0 once it is used up.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : bytes_(bytes_of(data, size)) {}

  bool done() const { return bytes_.empty(); }
  uint64_t below(uint64_t limit) { return (limit <= 256 ? byte() : byte() << 8 | byte()) % limit; }
  bool one_in(uint64_t count) { return below(count) == 1; }  // false at the end
  template <class T>
  T of(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  std::string_view text(std::initializer_list<std::string_view> values) { return of(values); }
  // Mostly small; sometimes at the limits of integer arithmetic.
  int64_t number() {
    if (!one_in(8)) return static_cast<int64_t>(below(8));
    return of<int64_t>({-1, -2, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff, int64_t{1} << 32, int64_t{1} << 62,
                        INT64_MAX, INT64_MIN});
  }
  std::string bytes(size_t count) {
    std::string out;
    while (count-- > 0) out += static_cast<char>(byte());
    return out;
  }

 private:
  uint64_t byte() {
    if (bytes_.empty()) return 0;
    const auto value = std::to_integer<uint64_t>(bytes_.front());
    bytes_ = bytes_.subspan(1);
    return value;
  }
  std::span<const std::byte> bytes_;
};

// The input as a file in memory, for loaders that take a path.
class InputFile {
 public:
  explicit InputFile(std::string_view text) : InputFile(reinterpret_cast<const uint8_t*>(text.data()), text.size()) {}
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
