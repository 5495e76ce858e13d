// Counter-based random numbers: value `index` of stream `key` needs no state, so any thread or device draws the same
// values in any order, and a resumed run needs only its seed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace geniepath {

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection of 64 bits that passes BigCrush on counters.
constexpr uint64_t mix_bits(uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Hash of a name (FNV-1a), to key a stream by it.
constexpr uint64_t name_hash(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

class RandomStream {
 public:
  // The words identify the stream: the seed, then its purpose (epoch, layer, ...).
  constexpr RandomStream(std::initializer_list<uint64_t> words) {
    for (const uint64_t word : words) key_ = mix_bits(key_ + 0x9e3779b97f4a7c15ULL + word) + word;
  }
  constexpr uint64_t key() const { return key_; }

  constexpr uint64_t bits(uint64_t index) const { return mix_bits(key_ + (index + 1) * 0x9e3779b97f4a7c15ULL); }
  constexpr double uniform(uint64_t index) const {
    return static_cast<double>(bits(index) >> 11) * 0x1.0p-53;
  }                                                                 // [0, 1)
  constexpr uint64_t below(uint64_t index, uint64_t limit) const {  // 0 .. limit-1
    return static_cast<uint64_t>((static_cast<unsigned __int128>(bits(index)) * limit) >> 64);
  }

 private:
  uint64_t key_ = 0;
};

// The same numbers in sequence, for inherently sequential code.
class Random {
 public:
  constexpr Random(std::initializer_list<uint64_t> words) : stream_(words) {}
  constexpr uint64_t bits() { return stream_.bits(next_++); }
  constexpr double uniform() { return stream_.uniform(next_++); }
  constexpr uint64_t below(uint64_t limit) { return stream_.below(next_++, limit); }

 private:
  RandomStream stream_;
  uint64_t next_ = 0;
};

// Fisher-Yates shuffle, from the back.
template <class Container>
void shuffle(Container& items, Random random) {
  for (auto i = static_cast<uint64_t>(items.size()); i > 1; --i) {
    using std::swap;
    swap(items[i - 1], items[random.below(i)]);
  }
}

}  // namespace geniepath
