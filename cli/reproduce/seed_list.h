// Seeds of a reproduction, as typed: "5" is 1 to 5, "1-5,11-15" these ten, "7-7" the seventh alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace geniepath::cli {

// In the order given. An Error names a part that is neither a number nor a range, a seed given twice, or more than 1,000.
std::vector<int64_t> seed_list(const std::string& text);

}  // namespace geniepath::cli
