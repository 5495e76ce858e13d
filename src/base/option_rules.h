// Which options have an effect, given the values of others (OptionVisitor::only_where).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "geniepath/options.h"

namespace geniepath {

class OptionRules {
 public:
  // The rules of these structs' options, at their present values.
  explicit OptionRules(const std::vector<const Options*>& structs);

  // Why the option has no effect: "does not apply to --data cora; it applies to --data known-paths". Empty if it has
  // one. Conditions on an option in `varied` count as met, as do those on options of other structs.
  std::string obstacle(const std::string& name, const std::set<std::string>& varied = {}) const;

  // All options, in the order of their declaration.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::string> values_;
  std::multimap<std::string, std::vector<OptionCondition>> rules_;
};

}  // namespace geniepath
