#include "run/data_state.h"

#include <nlohmann/json.hpp>

#include "base/options_json.h"
#include "data/fingerprint.h"
#include "run/data_files.h"

namespace geniepath::run {
namespace {

bool is_path(const std::string& option) { return option == "edges" || option == "nodes" || option == "data"; }

// Where a data set of this name lies, and how it is read, says nothing of what it is.
bool is_irrelevant(const std::string& option) { return option == "data-dir" || option == "verify"; }

// Chooses among the splits that come with data.
bool chooses_split(const std::string& option) { return option == "published-split" || option == "split-column"; }

struct Difference {
  bool split = false, other = false;

  Difference operator|(const Difference& b) const { return {split || b.split, other || b.other}; }
  bool any() const { return split || other; }
};

Difference difference(const Options& a, const Options& b) {
  const auto first = to_json(a), second = to_json(b);
  Difference found;
  for (const auto& [name, value] : first.items()) {
    const auto& other = second.at(name);
    if (is_irrelevant(name) || value == other) continue;
    if (is_path(name) && same_files(value.get<std::string>(), other.get<std::string>())) continue;
    (chooses_split(name) ? found.split : found.other) = true;
  }
  return found;
}

}  // namespace

DataState data_state(const RunDescription& run, const Dataset& raw, const DataOptions& source,
                     const TableOptions& tables, const TransformOptions& transforms) {
  const Difference named = difference(source, run.data) | difference(tables, run.tables);
  const bool has_content = !run.files.empty() && !run.fingerprint.empty();
  const bool own = has_content ? fingerprint(raw) == run.fingerprint : !named.any();
  if (!own && named.other) return DataState::kOther;
  if (difference(transforms, run.transforms).any() || (!own && named.split)) return DataState::kOtherSplit;
  return own ? DataState::kOwn : DataState::kChanged;
}

DataState data_state(const RunDescription& run, const Dataset& raw) {
  return data_state(run, raw, run.data, run.tables, run.transforms);
}

std::string changed_text(const RunDescription& run) {
  return data_name(run) + ": changed since the run was trained on it";
}

}  // namespace geniepath::run
