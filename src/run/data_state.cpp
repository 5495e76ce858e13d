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

bool are_same(const Options& a, const Options& b) {
  const auto first = to_json(a), second = to_json(b);
  for (const auto& [name, value] : first.items()) {
    const auto& other = second.at(name);
    if (is_irrelevant(name) || value == other) continue;
    if (!is_path(name) || !same_files(value.get<std::string>(), other.get<std::string>())) return false;
  }
  return true;
}

}  // namespace

DataState data_state(const RunDescription& run, const Dataset& raw, const DataOptions& source,
                     const TableOptions& tables, const TransformOptions& transforms) {
  if (!are_same(transforms, run.transforms)) return DataState::kOther;
  const bool named_alike = are_same(source, run.data) && are_same(tables, run.tables);
  const bool has_content = !run.files.empty() && !run.fingerprint.empty();
  if (has_content ? fingerprint(raw) == run.fingerprint : named_alike) return DataState::kOwn;
  return named_alike ? DataState::kChanged : DataState::kOther;
}

DataState data_state(const RunDescription& run, const Dataset& raw) {
  return data_state(run, raw, run.data, run.tables, run.transforms);
}

std::string changed_text(const RunDescription& run) {
  return data_name(run) + ": changed since the run was trained on it";
}

}  // namespace geniepath::run
