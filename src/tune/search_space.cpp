#include "tune/search_space.h"

#include <charconv>
#include <cmath>

#include "base/option_rules.h"
#include "base/options_json.h"
#include "base/random.h"
#include "base/suggestion.h"
#include "geniepath/error.h"

namespace geniepath::tune {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLargestExact = 0x1p53;  // whole numbers up to here are doubles, too
constexpr const char* kExpected = "expected OPTION=LOW:HIGH, OPTION=log:LOW:HIGH or OPTION=choice:A,B,...";

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

double number(const std::string& text, const std::string& range) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    fail("range '", range, "': expected a number, found '", text, "'");
  }
  return value;
}

// The options of a run that a search may change.
std::vector<Options*> parts_of(RunDescription& run) { return {&run.model, &run.train, &run.walk, &run.transforms}; }

Options* part_with(RunDescription& run, const std::string& option) {
  for (Options* part : parts_of(run)) {
    if (to_json(*part).contains(option)) return part;
  }
  return nullptr;
}

}  // namespace

Range Range::parse(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) fail("range '", text, "': ", kExpected);
  Range range;
  range.text = text;
  range.option = text.substr(0, equals);
  std::vector<std::string> parts = split(text.substr(equals + 1), ':');
  if (parts[0] == "choice" && parts.size() == 2) {
    range.kind = Kind::kChoice;
    range.choices = split(parts[1], ',');
    for (const std::string& choice : range.choices) {
      if (choice.empty()) fail("range '", text, "': a choice is empty");
    }
    return range;
  }
  if (parts[0] == "log") {
    range.kind = Kind::kLog;
    parts.erase(parts.begin());
  }
  if (parts.size() != 2) fail("range '", text, "': ", kExpected);
  range.low = number(parts[0], text);
  range.high = number(parts[1], text);
  if (range.low > range.high)
    fail("range '", text, "': the low end ", range.low, " is above the high end ", range.high);
  if (range.kind == Kind::kLog && range.low <= 0) {
    fail("range '", text, "': expected a low end above 0 for a logarithm, found ", range.low);
  }
  return range;
}

SearchSpace::SearchSpace(std::vector<Range> ranges, const RunDescription& base)
    : ranges_(std::move(ranges)), base_(base) {
  if (ranges_.empty()) fail("tune: no ranges given; ", kExpected);
  for (size_t r = 0; r < ranges_.size(); ++r) {
    const Range& range = ranges_[r];
    for (size_t other = 0; other < r; ++other) {
      if (ranges_[other].option == range.option)
        fail("range '", range.text, "': ", range.option, " has a range already");
    }
    if (range.option == "seed" || range.option == "epochs") {
      fail("range '", range.text, "': the search decides on ", range.option, " itself (--",
           range.option == "seed" ? "seeds" : "least-epochs", ")");
    }
    if (part_with(base_, range.option) == nullptr) {
      fail("range '", range.text, "': '", range.option,
           "' is not an option of the model, its training, its walks or the preparation",
           did_you_mean(range.option,
                        OptionRules({&base_.model, &base_.train, &base_.walk, &base_.transforms}).names()));
    }
    check_bounds(range);
  }
}

// Both ends, or all choices, must be valid values of the option.
void SearchSpace::check_bounds(const Range& range) const {
  const auto check = [&](const nlohmann::json& value) {
    try {
      with(Setting{{range.option, value}});
    } catch (const Error& error) {
      fail("range '", range.text, "': ", error.what());
    }
  };
  if (range.kind == Range::Kind::kChoice) {
    for (const std::string& choice : range.choices) check(choice_of(range, choice));
  } else {
    check(value_of(range, 0));
    check(value_of(range, 1));
  }
}

nlohmann::json SearchSpace::choice_of(const Range& range, const std::string& text) const {
  RunDescription run = base_;
  const Json now = to_json(*part_with(run, range.option))[range.option];
  if (now.is_string()) return text;
  if (now.is_boolean()) {
    if (text != "true" && text != "false") fail("range '", range.text, "': expected true or false, found '", text, "'");
    return text == "true";
  }
  const double value = number(text, range.text);
  if (now.is_number_float()) return value;
  if (value != std::floor(value) || std::abs(value) > kLargestExact)
    fail("range '", range.text, "': expected whole numbers of at most 2^53, found ", text);
  return static_cast<int64_t>(value);
}

// The value at fraction `share` of the range, 0 to 1.
nlohmann::json SearchSpace::value_of(const Range& range, double share) const {
  RunDescription run = base_;
  const Json now = to_json(*part_with(run, range.option))[range.option];
  if (!now.is_number()) fail("range '", range.text, "': ", range.option, " is not a number; give choices instead");
  const bool log = range.kind == Range::Kind::kLog;
  if (now.is_number_float()) {
    if (share == 1) return range.high;
    if (!log) return range.low + share * (range.high - range.low);
    return range.low * std::pow(range.high / range.low, share);
  }
  if (range.low != std::floor(range.low) || range.high != std::floor(range.high) ||
      std::max(std::abs(range.low), std::abs(range.high)) > kLargestExact) {
    fail("range '", range.text, "': ", range.option, " takes whole numbers of at most 2^53");
  }
  const double first = log ? range.low * std::pow((range.high + 1) / range.low, share)
                           : range.low + share * (range.high + 1 - range.low);
  return static_cast<int64_t>(std::min(std::floor(first), range.high));
}

Setting SearchSpace::draw(uint64_t seed, int64_t trial) const {
  Setting setting;
  for (const Range& range : ranges_) {
    const RandomStream stream{seed, static_cast<uint64_t>(trial), name_hash(range.option)};
    if (range.kind == Range::Kind::kChoice) {
      setting[range.option] = choice_of(range, range.choices[stream.below(0, range.choices.size())]);
    } else {
      setting[range.option] = value_of(range, stream.uniform(0));
    }
  }
  return setting;
}

int64_t SearchSpace::grid_size() const {
  int64_t size = 1;
  for (const Range& range : ranges_) {
    if (range.kind != Range::Kind::kChoice) fail("range '", range.text, "': a grid takes only choices");
    if (__builtin_mul_overflow(size, static_cast<int64_t>(range.choices.size()), &size))
      fail("tune: the grid is too large");
  }
  return size;
}

Setting SearchSpace::grid_point(int64_t trial) const {
  std::vector<std::string> chosen(ranges_.size());
  for (size_t r = ranges_.size(); r-- > 0;) {
    const auto count = static_cast<int64_t>(ranges_[r].choices.size());
    chosen[r] = ranges_[r].choices[static_cast<size_t>(trial % count)];
    trial /= count;
  }
  Setting setting;
  for (size_t r = 0; r < ranges_.size(); ++r) setting[ranges_[r].option] = choice_of(ranges_[r], chosen[r]);
  return setting;
}

RunDescription SearchSpace::with(const Setting& setting) const {
  RunDescription run = base_;
  for (const auto& [option, value] : setting.items()) {
    Options* part = part_with(run, option);
    Json merged = to_json(*part);
    merged[option] = value;
    read_json(*part, merged, "options");
  }
  return run;
}

bool SearchSpace::changes_preparation() const {
  const Json preparation = to_json(base_.transforms);
  for (const Range& range : ranges_) {
    if (preparation.contains(range.option)) return true;
  }
  return false;
}

}  // namespace geniepath::tune
