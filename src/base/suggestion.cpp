#include "base/suggestion.h"

#include <algorithm>
#include <cctype>

namespace geniepath {
namespace {

constexpr size_t kLongestName = 64;  // longer ones are texts, not misspelt names

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

// Optimal string alignment; the last two rows of the table of distances suffice for swaps.
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> before, above(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above.back();
}

}  // namespace

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > kLongestName) return "";
  const std::string wanted = lower(name);
  size_t least = std::max<size_t>(1, name.size() / 3) + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestName) continue;
    const size_t apart = distance(wanted, lower(candidate));
    if (apart < least) least = apart, nearest = &candidate;
  }
  return nearest == nullptr ? "" : "; did you mean '" + *nearest + "'?";
}

}  // namespace geniepath
