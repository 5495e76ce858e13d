#include "base/option_rules.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/options_json.h"

namespace geniepath {
namespace {

// Visits the rules alone.
class RuleReader : public OptionVisitor {
 public:
  explicit RuleReader(std::multimap<std::string, std::vector<OptionCondition>>& rules) : rules_(rules) {}
  void integer(const char*, int64_t&, Bounds<int64_t>, const char*) override {}
  void real(const char*, double&, Bounds<double>, const char*) override {}
  void flag(const char*, bool&, const char*) override {}
  void one_of(const char*, const ChoiceField&, const char*) override {}
  void text(const char*, std::string&, const char*) override {}
  void only_where(const char* name, const std::vector<OptionCondition>& any_of) override {
    rules_.emplace(name, any_of);
  }

 private:
  std::multimap<std::string, std::vector<OptionCondition>>& rules_;
};

bool matches(const std::string& value, const std::string& pattern) {
  if (!pattern.starts_with('*')) return value == pattern;
  return !value.empty() && value.ends_with(pattern.substr(1));
}

// "--data account-device or known-paths"; for any value, "--nodes".
std::string described(const OptionCondition& condition) {
  std::string text = "--" + condition.option;
  for (size_t v = 0; v < condition.values.size(); ++v) {
    if (condition.values[v] == "*") continue;
    text += (v == 0 ? " " : v + 1 == condition.values.size() ? " or " : ", ") + condition.values[v];
  }
  return text;
}

}  // namespace

OptionRules::OptionRules(const std::vector<const Options*>& structs) {
  for (const Options* options : structs) {
    const nlohmann::ordered_json object = to_json(*options);
    for (const auto& [name, value] : object.items()) {
      names_.push_back(name);
      values_[name] = value.is_string() ? value.get<std::string>() : value.dump();
    }
    RuleReader reader(rules_);
    const_cast<Options*>(options)->visit(reader);  // which hands out references but changes nothing here
  }
}

std::string OptionRules::obstacle(const std::string& name, const std::set<std::string>& varied) const {
  const auto [first, last] = rules_.equal_range(name);
  for (auto rule = first; rule != last; ++rule) {
    const std::vector<OptionCondition>& any_of = rule->second;
    const bool met = std::ranges::any_of(any_of, [&](const OptionCondition& condition) {
      const auto value = values_.find(condition.option);
      if (value == values_.end() || varied.contains(condition.option)) return true;
      return std::ranges::any_of(condition.values,
                                 [&](const std::string& pattern) { return matches(value->second, pattern); });
    });
    if (met) continue;
    const OptionCondition& main = any_of.front();
    const std::string& value = values_.at(main.option);
    std::string text = value.empty() ? "does not apply without --" + main.option
                                     : "does not apply to --" + main.option + " " + value;
    if (value.empty() && any_of.size() == 1) return text;
    text += "; it applies to " + described(main);
    for (size_t other = 1; other < any_of.size(); ++other) text += ", or to " + described(any_of[other]);
    return text;
  }
  return "";
}

}  // namespace geniepath
