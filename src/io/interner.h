// Texts numbered 0, 1, 2, ... in the order they are first seen; one copy of each, in one block of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace geniepath {

class Interner {
 public:
  // The number of a text, or -1 where it is not there.
  int32_t find(std::string_view text) const;
  // The number of a text, new or known. More than 2^31 - 1 texts, or a text of 2 GiB, are an Error.
  int32_t add(std::string_view text);

  int32_t size() const { return static_cast<int32_t>(at_.size()); }
  std::string_view operator[](int32_t number) const;  // valid until the next add()
  std::vector<std::string> texts() const;

 private:
  // Open addressing with linear probing. A lookup in a large table waits for memory twice: for its slot, and for the
  // text, which has its length in front of it.
  struct Slot {
    uint64_t at = 0;  // where in texts_
    uint32_t hash = 0;
    int32_t number = -1;
  };
  size_t slot_of(std::string_view text, uint32_t hash) const;  // where it is, or the free slot where it belongs
  std::string_view text_at(uint64_t at) const;
  void grow();

  std::string texts_;
  std::vector<uint64_t> at_;  // of each text in texts_, by number
  std::vector<Slot> slots_;   // a power of two, at most half of them taken
};

}  // namespace geniepath
