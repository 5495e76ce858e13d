// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geniepath {

// "; did you mean 'train'?" for the candidate nearest to `name`, or nothing if none is near. Letters added, left out,
// changed or swapped with their neighbour count one each, at most one per three letters; upper and lower case are
// equal.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace geniepath
