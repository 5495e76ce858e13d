#include "arguments/class_names.h"

#include <algorithm>

#include "base/noun.h"
#include "geniepath/error.h"
#include "io/csv.h"
#include "report/node_facts.h"

namespace geniepath::cli {

void ClassNames::bind(CLI::App& command) {
  command.add_option("--class-names", given,
                     "names to show for the classes, in their order, separated by commas (default: the run's)");
}

std::vector<std::string> ClassNames::names(const RunDescription& run) const {
  if (given.empty()) return {};
  const std::vector<std::string> names = split_list(given);
  if (std::ssize(names) != run.classes) {
    fail("--class-names ", given, ": ", counted(names.size(), "name"), ", but the run has ",
         counted(run.classes, "class", "classes"));
  }
  for (size_t n = 0; n < names.size(); ++n) {
    if (names[n].empty()) fail("--class-names ", given, ": name ", n + 1, " is empty");
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n), names[n]) !=
        names.begin() + static_cast<std::ptrdiff_t>(n)) {
      fail("--class-names ", given, ": '", names[n], "' is given twice");
    }
  }
  return names;
}

std::vector<std::string> ClassNames::shown(const RunDescription& run) const {
  return report::class_names(run.classes, given.empty() ? run.class_names : names(run));
}

}  // namespace geniepath::cli
