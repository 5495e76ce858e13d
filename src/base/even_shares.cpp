#include "base/even_shares.h"

#include <algorithm>
#include <numeric>

namespace geniepath {

std::vector<int32_t> even_shares(std::span<const int64_t> cost, int64_t count) {
  std::vector<size_t> order(cost.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return cost[a] > cost[b]; });
  std::vector<int64_t> load(static_cast<size_t>(count), 0);
  std::vector<int32_t> share(cost.size());
  for (const size_t item : order) {
    const auto least = std::ranges::min_element(load);
    *least += cost[item];
    share[item] = static_cast<int32_t>(least - load.begin());
  }
  return share;
}

}  // namespace geniepath
