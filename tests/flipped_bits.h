// Copies of a text with one bit flipped, for `count` bits spread evenly over it.
#pragma once

#include <algorithm>
#include <string>

namespace geniepath::testing {

// visit(text, bit)
template <class Visit>
void for_flipped_bits(const std::string& text, size_t count, Visit visit) {
  const size_t bits = 8 * text.size();
  count = std::min(count, bits);
  for (size_t n = 0; n < count; ++n) {
    const size_t bit = n * bits / count / 8 * 8 + n % 8;  // every bit position within a byte
    std::string flipped = text;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    visit(flipped, bit);
  }
}

constexpr size_t kEveryBit = static_cast<size_t>(-1);

}  // namespace geniepath::testing
