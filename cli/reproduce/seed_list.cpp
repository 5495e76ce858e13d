#include "reproduce/seed_list.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "geniepath/error.h"

namespace geniepath::cli {
namespace {

constexpr size_t kMostSeeds = 1000;

// A seed of 0 or more at the beginning of `text`, which is cut off; -1 if there is none.
int64_t take_seed(std::string_view& text) {
  int64_t seed = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || seed < 0) return -1;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return seed;
}

// The ends of "3" or "3-5"; `first` > `last` for anything else.
struct SeedRange {
  int64_t first = 0, last = -1;
};

SeedRange range_of(std::string_view text) {
  SeedRange range;
  range.first = take_seed(text);
  if (range.first < 0) return {};
  if (text.empty()) return {range.first, range.first};
  if (text.front() != '-') return {};
  text.remove_prefix(1);
  range.last = take_seed(text);
  return text.empty() ? range : SeedRange();
}

void add_range(std::vector<int64_t>& seeds, const SeedRange& range, const std::string& text) {
  if (range.first > range.last) {
    fail("--seeds: expected a number of seeds such as 5, or seeds such as 1-5,11-15, found '", text, "'");
  }
  for (int64_t seed = range.first;; ++seed) {
    if (std::ranges::find(seeds, seed) != seeds.end()) fail("--seeds: '", text, "' has seed ", seed, " twice");
    if (seeds.size() == kMostSeeds) fail("--seeds: '", text, "' has more than ", kMostSeeds, " seeds");
    seeds.push_back(seed);
    if (seed == range.last) return;
  }
}

}  // namespace

std::vector<int64_t> seed_list(const std::string& text) {
  std::vector<int64_t> seeds;
  if (text.find_first_of("-,") == std::string::npos) {
    add_range(seeds, {1, range_of(text).last}, text);
    return seeds;
  }
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    add_range(seeds, range_of(std::string_view(text).substr(begin, end - begin)), text);
    begin = end + 1;
  }
  return seeds;
}

}  // namespace geniepath::cli
