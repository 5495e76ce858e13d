// Ranges from which a search draws options:
//   learning-rate=log:1e-4:1e-1   uniform in the logarithm
//   dropout=0:0.8                 uniform; for integer options whole numbers, both ends included
//   hidden=choice:16,64           one of these
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geniepath/run.h"

namespace geniepath {
namespace tune {

// Random trials from the ranges, or every combination of choices.
enum class Search { kRandom, kGrid };

}  // namespace tune

template <>
inline constexpr auto kNames<tune::Search> =
    names<tune::Search>({{tune::Search::kRandom, "random"}, {tune::Search::kGrid, "grid"}});

namespace tune {

struct Range {
  enum class Kind { kEven, kLog, kChoice };
  std::string option;
  Kind kind = Kind::kEven;
  double low = 0, high = 0;
  std::vector<std::string> choices;
  std::string text;  // as given

  // The Error says what is wrong, where, what was expected and what was found.
  static Range parse(const std::string& text);
};

// Values of options by name.
using Setting = nlohmann::ordered_json;

// Settings of trials: drawn at random, as a function of only the seed and the trial, or for a grid every combination of
// the choices, with the last option changing fastest.
class SearchSpace {
 public:
  // An Error unless every range names an option of the model, its training, its walks or the preparation, with values
  // valid for it. Trials change these options of `base`.
  SearchSpace(std::vector<Range> ranges, const RunDescription& base);

  Setting draw(uint64_t seed, int64_t trial) const;
  int64_t grid_size() const;  // an Error if a range is not a choice
  Setting grid_point(int64_t trial) const;

  RunDescription with(const Setting& setting) const;
  bool changes_preparation() const;

 private:
  nlohmann::json value_of(const Range& range, double share) const;
  nlohmann::json choice_of(const Range& range, const std::string& text) const;
  void check_bounds(const Range& range) const;

  std::vector<Range> ranges_;
  RunDescription base_;
};

}  // namespace tune
}  // namespace geniepath
