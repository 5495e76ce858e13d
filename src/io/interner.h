// Numbers distinct texts 0, 1, 2, ... in order of first appearance; keeps one copy of each, in one block of memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace geniepath {

class Interner {
 public:
  // The number of a text, or -1 if it is missing.
  int32_t find(std::string_view text) const;
  // The number of a text, added if new. More than 2^31 - 1 texts, or a text of 2 GiB, are an Error.
  int32_t add(std::string_view text);

  int32_t size() const { return static_cast<int32_t>(at_.size()); }
  std::string_view operator[](int32_t number) const;  // valid until the next add()
  std::vector<std::string> texts() const;

 private:
  // Open addressing with linear probing. A lookup in a large table misses the cache twice: for the slot and for the
  // text, which is stored behind its length.
  struct Slot {
    uint64_t at = 0;  // position in texts_
    uint32_t hash = 0;
    int32_t number = -1;
  };
  size_t slot_of(std::string_view text, uint32_t hash) const;  // its slot, or the free one where it belongs
  std::string_view text_at(uint64_t at) const;
  void grow();

  std::string texts_;
  std::vector<uint64_t> at_;  // position of each text in texts_, by number
  std::vector<Slot> slots_;   // size is a power of two, at most half used
};

}  // namespace geniepath
