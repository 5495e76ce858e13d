// The trials of a search as a table and a drawing.
#pragma once

#include <string>
#include <vector>

#include "tune/halving.h"
#include "tune/search_space.h"

namespace geniepath::cli {

struct Trial {
  tune::TrialResult result;  // of the last rung it reached
  tune::Setting options;
};

// The trials that came furthest first, then by score; at most `most`. `score`: the name of the score.
std::string trial_table(std::vector<Trial> trials, const std::string& score, size_t most);

// The score over each searched option, one panel per option.
std::string trials_svg(const std::vector<Trial>& trials, const std::string& metric);

}  // namespace geniepath::cli
