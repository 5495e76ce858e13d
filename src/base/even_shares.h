// Division of items of different cost among processes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace geniepath {

// The process, 0 to count-1, of every item: the costliest first, each goes to the one with the least work (the first on
// ties).
std::vector<int32_t> even_shares(std::span<const int64_t> cost, int64_t count);

}  // namespace geniepath
