#include <algorithm>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "base/checksum.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/noun.h"
#include "base/statistics.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "geniepath/run.h"
#include "report/path_quality_text.h"
#include "run/run_files.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/run_table.h"
#include "terminal/text.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kByScore = "score";
constexpr const char* kByName = "name";
constexpr const char* kNoRun = ": no run here, expected a run's folder or one with runs in it";

struct CompareCommand {
  std::vector<std::string> folders;
  std::string sort = kByScore;
};

// The runs in a folder, one below another, by name; the folder itself if it is a run. Empty if there are none.
std::vector<std::string> runs_in(const std::string& folder) {
  namespace fs = std::filesystem;
  constexpr int kDeepest = 4;
  if (RunFolder(folder).holds_run()) return {folder};
  if (!fs::is_directory(folder)) fail(folder, kNoRun);
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator at(folder), end; at != end; ++at) {
    if (!at->is_directory()) continue;
    const bool is_run = RunFolder(at->path()).holds_run();
    if (is_run) found.push_back(at->path().string());
    if (is_run || at.depth() + 1 >= kDeepest) at.disable_recursion_pending();
  }
  std::ranges::sort(found);
  return found;
}

void say_skipped(const std::vector<std::string>& unfinished) {
  constexpr size_t kNamed = 3;
  for (size_t n = 0; n < std::min(unfinished.size(), kNamed); ++n) {
    std::cerr << "skipped " << terminal(unfinished[n]) << ": not finished, after epoch "
              << RunFolder(unfinished[n]).epochs_done() << "\n";
  }
  if (unfinished.size() > kNamed)
    std::cerr << "skipped " << unfinished.size() - kNamed << " more that are not finished\n";
}

// The finished runs of all folders, each once. Folders without runs, and unfinished runs, are left out, with a note.
std::vector<std::string> finished_runs(const std::vector<std::string>& folders) {
  std::vector<std::string> finished, unfinished, without;
  for (const std::string& folder : folders) {
    const std::vector<std::string> found = runs_in(folder);
    if (found.empty()) without.push_back(folder);
    for (const std::string& name : found) {
      if (std::ranges::find(finished, name) != finished.end()) continue;
      if (std::filesystem::exists(RunFolder(name).file(run::kResult))) {
        finished.push_back(name);
      } else {
        unfinished.push_back(name);
      }
    }
  }
  if (finished.empty() && unfinished.empty()) fail(without.front(), kNoRun);
  if (finished.empty()) read_result(unfinished.front());  // an Error
  for (const std::string& folder : without) std::cerr << "skipped " << terminal(folder) << ": no run here\n";
  say_skipped(unfinished);
  return finished;
}

constexpr const char* kPathColumns[] = {"if even", "fidelity+", "at random", "entropy", "path AUC"};

// Cells from paths.json: share of predictions that change with even attention, fidelity+ and that of random edges, the
// mean of the layers' entropies over those of even attention, and the best layer's AUC. Empty where the run lacks a
// figure.
std::vector<std::string> path_cells(const Json& quality) {
  std::vector<std::string> cells(std::size(kPathColumns));
  if (quality.contains("even")) cells[0] = fixed(quality.at("even").at("changed"), 4);
  if (quality.contains("fidelity")) {
    cells[1] = fixed(quality.at("fidelity").at("model").at("plus"), 4);
    cells[2] = fixed(quality.at("fidelity").at("random_plus"), 4);
  }
  const Json& layers = quality.at("entropy");
  double sum = 0;
  for (const Json& layer : layers) sum += layer.at("ratio").get<double>();
  if (!layers.empty()) cells[3] = fixed(sum / static_cast<double>(layers.size()), 4);
  const Json recovery = quality.value("recovery", Json::object());
  if (recovery.contains("best_auc")) cells[4] = fixed(recovery.at("best_auc"), 4);
  return cells;
}

std::vector<std::string> row_of(const Json& result, const std::string& folder) {
  std::vector<std::string> row{folder, result.at("model"), result.at("data"),
                               std::to_string(whole_number(result.at("seed"), folder + ": seed"))};
  for (const std::string& metric : Scores::names())
    row.push_back(fixed(score_from_json(result.at("test").at(metric)), 4));
  row.push_back(std::to_string(whole_number(result.at("best_epoch"), folder + ": best_epoch")));
  row.push_back(fixed(result.at("seconds"), 1));
  return row;
}

// Calls make(); a value that is missing or has the wrong type becomes an Error that names the file.
template <class Make>
auto from_file(const std::string& folder, const char* file, Make make) {
  try {
    return make();
  } catch (const nlohmann::json::exception& error) {
    fail(folder, "/", file, ": ", json_reason(error));
  }
}

// Appends the columns about attention, if any run has them.
void add_path_columns(std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& folders) {
  std::vector<std::optional<Json>> found;
  for (const std::string& folder : folders) found.push_back(report::recorded_quality(RunFolder(folder)));
  if (std::ranges::none_of(found, [](const auto& quality) { return quality.has_value(); })) return;
  rows[0].insert(rows[0].end(), std::begin(kPathColumns), std::end(kPathColumns));
  for (size_t n = 0; n < folders.size(); ++n) {
    if (!found[n]) continue;
    const auto cells = from_file(folders[n], run::kPaths, [&] { return path_cells(*found[n]); });
    rows[n + 1].insert(rows[n + 1].end(), cells.begin(), cells.end());
  }
}

// Runs that differ in their seeds alone; a published split or a fold is chosen like one.
struct Group {
  std::string model, data, metric;
  Json options;  // of model.json, by their places there: "/train/epochs"
  std::map<std::vector<int64_t>, double> test;  // by seeds: of the training, the data and the split
  std::map<std::vector<int64_t>, std::vector<std::string>> folders;

  std::vector<double> scores() const {
    std::vector<double> scores;
    for (const auto& [_, score] : test) scores.push_back(score);
    return scores;
  }
};

// Removes the seeds from a run's description and returns them.
std::vector<int64_t> take_seeds(Json& description) {
  std::vector<int64_t> seeds;
  for (const auto& [part, name] : {std::pair{"train", "seed"}, {"data", "data-seed"}, {"transforms", "split-seed"}}) {
    seeds.push_back(whole_number(description.at(part).at(name), name));
    description.at(part).erase(name);
  }
  for (const auto& [part, name] : {std::pair{"data", "published-split"}, {"transforms", "fold"}}) {
    seeds.push_back(whole_number(description.at(part).value(name, Json(0)), name));  // runs of older versions have none
    description.at(part).erase(name);
  }
  for (const char* of_content : {"fingerprint", "checksum", "files"}) description.erase(of_content);
  for (const char* of_place : {"data-dir", "verify"}) description.at("data").erase(of_place);
  return seeds;
}

// Groups of runs whose model.json is equal, apart from seeds and the data's content and place.
std::vector<Group> groups_of(const std::vector<std::string>& folders, const std::string& sort) {
  std::vector<Group> groups;
  std::map<std::string, size_t> place;
  for (const std::string& folder : folders) {
    const auto path = RunFolder(folder).file(run::kDescription);
    Json description = parse_sealed_json(read_text(path), path.string());
    const auto seeds = from_file(folder, run::kDescription, [&] { return take_seeds(description); });
    const auto found = place.try_emplace(description.dump(), groups.size());
    from_file(folder, run::kResult, [&] {
      const Json result = read_result(folder);
      const std::string metric = sort == kByScore || sort == kByName ? result.at("metric").get<std::string>() : sort;
      if (found.second) {
        groups.push_back({result.at("model"), result.at("data"), metric, description.flatten(), {}, {}});
      }
      Group& group = groups[found.first->second];
      group.folders[seeds].push_back(folder);
      return group.test[seeds] = score_from_json(result.at("test").at(metric));
    });
  }
  return groups;
}

// Sorts by data, in the order of appearance, then the best mean first and undefined ones last.
void sort_groups(std::vector<Group>& groups) {
  std::map<std::string, size_t> data;
  for (const Group& group : groups) data.try_emplace(group.data, data.size());
  const auto place = [&](const Group& group) {
    const double mean = mean_of(group.scores());
    return std::tuple(data[group.data], std::isnan(mean), std::isnan(mean) ? 0 : -mean);
  };
  std::ranges::stable_sort(groups, {}, place);
}

// "epochs 40, bias true": the options in which a group differs from others of its model and data.
std::string differences(const Group& group, const std::vector<Group>& groups) {
  constexpr size_t kNamed = 3;
  std::set<std::string> names;
  for (const Group& other : groups) {
    if (other.model != group.model || other.data != group.data) continue;
    for (const auto& [place, value] : other.options.items()) {
      if (group.options.value(place, Json()) != value) names.insert(place);
    }
  }
  std::string text;
  for (size_t left = kNamed; const std::string& place : names) {
    if (left-- == 0) return text + ", …";
    const Json value = group.options.value(place, Json());
    text += (text.empty() ? "" : ", ") + place.substr(place.rfind('/') + 1) + " " +
            (value.is_string() ? value.get<std::string>() : value.dump());
  }
  return text;
}

std::string mean_table(const std::vector<Group>& groups) {
  std::vector<std::vector<std::string>> rows{
      {"runs", "model", "data", "score", "mean ± deviation", "differs by", "first run"}};
  for (const Group& group : groups) {
    const std::vector<double> scores = group.scores();
    rows.push_back({std::to_string(scores.size()), group.model, group.data, group.metric, mean_text(scores),
                    differences(group, groups), group.folders.begin()->second.front()});
  }
  return fitted_table(rows, output_columns());
}

// Whether two groups differ, by the runs of the same seeds; or why that cannot be told.
std::string test_line(const Group& a, const Group& b) {
  const std::string none = "no test of the difference: ";
  if (a.data != b.data) return none + "the runs are of different data, " + terminal(a.data + " and " + b.data) + "\n";
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

// Where runs differ in their seeds alone: means over the seeds and, of two such groups, whether they differ.
void print_groups(const std::vector<Group>& groups) {
  if (std::ranges::all_of(groups, [](const Group& group) { return group.test.size() < 2; })) return;
  std::cout << "\n" << mean_table(groups);
  if (groups.size() == 2) std::cout << test_line(groups[0], groups[1]);
}

void compare(const CompareCommand& command) {
  std::vector<std::string> folders = finished_runs(command.folders);
  std::vector<Group> groups = groups_of(folders, command.sort);
  if (command.sort != kByName) {
    sort_groups(groups);
    folders.clear();
    for (const Group& group : groups) {
      for (const auto& [_, names] : group.folders) folders.insert(folders.end(), names.begin(), names.end());
    }
  }
  std::vector<std::string> heading{"run", "model", "data", "seed"};
  for (const std::string& metric : Scores::names()) heading.push_back(metric);
  heading.insert(heading.end(), {"best epoch", "seconds"});
  std::vector<std::vector<std::string>> rows{heading};
  for (const std::string& folder : folders) {
    rows.push_back(from_file(folder, run::kResult, [&] { return row_of(read_result(folder), folder); }));
  }
  add_path_columns(rows, folders);
  std::cout << fitted_table(rows, output_columns());
  print_groups(groups);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto command = std::make_shared<CompareCommand>();
  CLI::App* sub = app.add_subcommand("compare",
                                     "show the test scores of finished runs side by side, the quality of their "
                                     "attention where it was measured (evaluate --paths), means over seeds, "
                                     "and whether two recipes differ");
  sub->add_option("runs", command->folders, "folders of runs, or folders with runs in them")->required();
  std::vector<std::string> orders{kByScore, kByName};
  for (const std::string& metric : Scores::names()) orders.push_back(metric);
  sub->add_option("--sort", command->sort, "best first, by the runs' own score or another; name: as given")
      ->check(CLI::IsMember(orders))->capture_default_str();
  add_help(*sub, {},
           {"geniepath compare runs/first runs/second", "geniepath compare runs --sort roc_auc"});
  sub->callback([=] { compare(*command); });
}

}  // namespace geniepath::cli
