#include "commands/run_groups.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <set>
#include <sstream>
#include <tuple>

#include "base/noun.h"
#include "base/options_json.h"
#include "base/statistics.h"
#include "data/catalog/registry.h"
#include "run/data_files.h"
#include "run/run_files.h"
#include "terminal/run_table.h"
#include "terminal/text.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

using Json = RunIdentity::Json;

constexpr const char* kTables = "tables";
constexpr const char* kSeedOptions[] = {"seed", "data-seed", "split-seed", "published-split", "fold"};
constexpr const char* kFileOptions[] = {"data", "edges", "nodes"};
constexpr const char* kSplitOptions[] = {"split", "train-fraction", "valid-fraction", "test-fraction", "folds"};
constexpr const char* kWithoutEffect[] = {"data-dir", "verify", "baselines"};  // on what is learned
constexpr size_t kMostNamed = 3;

Seeds seeds_of(const RunDescription& run) {
  return {run.train.seed, run.data.data_seed, run.transforms.split_seed, run.data.published_split, run.transforms.fold};
}

template <size_t N>
void move_options(Json& from, const char* const (&names)[N], Json& to) {
  for (const char* name : names) {
    if (!from.contains(name)) continue;
    to[name] = from[name];
    from.erase(name);
  }
}

// Of named data the name, of tables and graph files the contents wherever they lie, of folders of published files the
// place: the contents of these depend on the published split.
std::string data_identity(const RunDescription& run) {
  const std::string& name = run.data.data;
  const bool tables = name == kTables, by_contents = tables || name.ends_with(".safetensors");
  const std::string& contents = run.unfilled_fingerprint.empty() ? run.fingerprint : run.unfilled_fingerprint;
  if (by_contents && !contents.empty()) return contents;
  if (tables || find_dataset(name) != nullptr) return run::data_name(run);
  return std::filesystem::weakly_canonical(name).string();
}

RunIdentity identity_of(const RunDescription& run) {
  RunIdentity identity{Json::object(), to_json(run.data), Json::object(), data_identity(run)};
  if (run.data.data == kTables) identity.data_options.update(to_json(run.tables));
  if (identity.data_options.contains("positive") && run.task == Task::kBinary && run.class_names.size() == 2)
    identity.data_options["positive"] = run.class_names[1];  // also where it was found by its name
  for (const Json& options : {to_json(run.model), to_json(run.train), to_json(run.walk), to_json(run.transforms)})
    identity.recipe.update(options);
  move_options(identity.recipe, kSplitOptions, identity.data_options);
  move_options(identity.data_options, kFileOptions, identity.files);
  for (Json* options : {&identity.recipe, &identity.data_options}) {
    for (const char* seed : kSeedOptions) options->erase(seed);
    for (const char* name : kWithoutEffect) options->erase(name);
  }
  return identity;
}

// Appends the names of options with different values.
void add_differing(const Json& a, const Json& b, std::vector<std::string>& names) {
  for (const auto& [name, value] : a.items()) {
    if (b.value(name, Json()) != value) names.push_back(name);
  }
}

// None: their data differs, but not by any option.
std::vector<std::string> differing_data_options(const RunIdentity& a, const RunIdentity& b) {
  std::vector<std::string> names;
  add_differing(a.data_options, b.data_options, names);
  if (a.data != b.data) add_differing(a.files, b.files, names);
  return names;
}

Json value_of(const RunIdentity& identity, const std::string& name) {
  for (const Json* options : {&identity.recipe, &identity.data_options, &identity.files}) {
    if (options->contains(name)) return options->at(name);
  }
  return {};
}

std::string value_text(const RunIdentity& identity, const std::string& name) {
  const Json value = value_of(identity, name);
  return value.is_string() && value != "" ? value.get<std::string>() : value.dump();
}

// "size 2000 and 3000"
std::string data_difference(const RunGroup& a, const RunGroup& b) {
  if (a.data != b.data) return a.data + " and " + b.data;
  const std::vector<std::string> names = differing_data_options(a.identity, b.identity);
  if (names.empty()) return "the contents of their files differ";
  std::string text;
  for (size_t n = 0; n < std::min(names.size(), kMostNamed); ++n) {
    text += (n == 0 ? "" : ", ") + names[n] + " " + value_text(a.identity, names[n]) + " and " +
            value_text(b.identity, names[n]);
  }
  return names.size() > kMostNamed ? text + ", …" : text;
}

}  // namespace

bool RunIdentity::is_of_same_data(const RunIdentity& other) const {
  return data == other.data && data_options == other.data_options;
}

std::string RunIdentity::key() const { return Json{recipe, data_options, data}.dump(); }

std::vector<double> RunGroup::scores() const {
  std::vector<double> scores;
  for (const auto& [_, score] : test) scores.push_back(score);
  return scores;
}

std::vector<RunGroup> groups_of(const std::vector<std::string>& folders, const std::string& metric) {
  std::vector<RunGroup> groups;
  std::map<std::string, size_t> place;
  for (const std::string& folder : folders) {
    const RunDescription run = RunFolder(folder).description();
    const RunIdentity identity = identity_of(run);
    const auto [found, added] = place.try_emplace(identity.key(), groups.size());
    from_file(folder, run::kResult, [&] {
      const Json result = read_result(folder);
      const std::string shown = metric.empty() ? result.at("metric").get<std::string>() : metric;
      if (added) groups.push_back({result.at("model"), result.at("data"), shown, identity, {}, {}});
      RunGroup& group = groups[found->second];
      group.folders[seeds_of(run)].push_back(folder);
      return group.test.try_emplace(seeds_of(run), score_from_json(result.at("test").at(group.metric))).first;
    });
  }
  return groups;
}

void sort_groups(std::vector<RunGroup>& groups) {
  std::map<std::string, size_t> data;
  for (const RunGroup& group : groups) data.try_emplace(group.data, data.size());
  const auto place = [&](const RunGroup& group) {
    const double mean = mean_of(group.scores());
    return std::tuple(data[group.data], std::isnan(mean), std::isnan(mean) ? 0 : -mean);
  };
  std::ranges::stable_sort(groups, {}, place);
}

std::string differences(const RunGroup& group, const std::vector<RunGroup>& groups) {
  std::set<std::string> names;
  bool contents = false;
  for (const RunGroup& other : groups) {
    if (other.model != group.model || other.data != group.data) continue;
    std::vector<std::string> differing = differing_data_options(group.identity, other.identity);
    contents |= differing.empty() && !group.identity.is_of_same_data(other.identity);
    add_differing(group.identity.recipe, other.identity.recipe, differing);
    names.insert(differing.begin(), differing.end());
  }
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(name + " " + value_text(group.identity, name));
  if (contents) parts.insert(parts.begin(), "contents of its files");
  std::string text;
  for (size_t n = 0; n < std::min(parts.size(), kMostNamed); ++n) text += (n == 0 ? "" : ", ") + parts[n];
  return parts.size() > kMostNamed ? text + ", …" : text;
}

std::string test_line(const RunGroup& a, const RunGroup& b) {
  const std::string none = "no test of the difference: ";
  if (!a.identity.is_of_same_data(b.identity))
    return none + "the runs are of different data, " + terminal(data_difference(a, b)) + "\n";
  if (a.metric != b.metric) return none + "the runs' scores are " + a.metric + " and " + b.metric + "; see --sort\n";
  std::vector<double> first, second;
  for (const auto& [seeds, score] : a.test) {
    const auto other = b.test.find(seeds);
    if (other != b.test.end()) first.push_back(score), second.push_back(other->second);
  }
  if (first.size() < 2) return none + counted(first.size(), "common seed") + ", expected two or more\n";
  if (std::isnan(mean_of(first) - mean_of(second))) return none + "a score is undefined\n";
  const PairedTest test = paired_test(first, second);
  std::ostringstream text;
  text << "first minus second: " << fixed(test.difference, 4) << " ± " << fixed(test.deviation, 4) << " over "
       << first.size() << " common seeds; p = " << std::setprecision(2) << test.p << " (paired t-test, two-sided)\n";
  return text.str();
}

}  // namespace geniepath::cli
