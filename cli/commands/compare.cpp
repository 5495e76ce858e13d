#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_text.h"
#include "base/statistics.h"
#include "commands/commands.h"
#include "commands/run_groups.h"
#include "geniepath/error.h"
#include "geniepath/run.h"
#include "report/path_quality_text.h"
#include "run/run_files.h"
#include "run/weights_file.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/option_binder.h"
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

// The runs in a folder, one below another, by name; the folder itself if it is a run. None, where the folder has none.
std::vector<std::string> runs_in(const std::string& folder) {
  namespace fs = std::filesystem;
  constexpr int kDeepest = 4;
  if (RunFolder(folder).holds_run()) return {folder};
  if (!fs::is_directory(folder)) fail(folder, kNoRun);
  std::vector<std::string> found;
  std::error_code unreadable;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, unreadable), end;
       at != end; at.increment(unreadable)) {
    if (!at->is_directory(unreadable)) continue;
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

// Of all folders, each once, however its path is written. Folders without runs, and runs that are not finished, are
// left out, with a note.
std::vector<std::string> finished_runs(const std::vector<std::string>& folders) {
  std::vector<std::string> finished, unfinished, without;
  std::set<std::filesystem::path> seen;
  for (const std::string& folder : folders) {
    const std::vector<std::string> found = runs_in(folder);
    if (found.empty()) without.push_back(folder);
    for (const std::string& name : found) {
      if (!seen.insert(std::filesystem::weakly_canonical(name)).second) continue;
      std::error_code unreadable;
      if (std::filesystem::exists(RunFolder(name).file(run::kResult), unreadable)) {
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

// Of paths.json: share of predictions that change with even attention, fidelity+ and that of random edges, the mean of
// the layers' entropies over those of even attention, and the best layer's AUC. Empty where the run lacks a figure.
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

// Of weights that the run no longer has, none, with a note.
std::optional<Json> quality_of(const std::string& folder) {
  const RunFolder run(folder);
  const std::optional<Json> quality = report::recorded_quality(run);
  if (!quality || run::are_of_weights(*quality, run.file(run::kBest))) return quality;
  std::cerr << "left out " << terminal(run.file(run::kPaths).string()) << ": measured on other weights than "
            << run::kBest << " holds; geniepath evaluate --paths measures them anew\n";
  return std::nullopt;
}

// Appends the columns about attention, if any run has them.
void add_path_columns(std::vector<std::vector<std::string>>& rows, const std::vector<std::string>& folders) {
  std::vector<std::optional<Json>> found;
  for (const std::string& folder : folders) found.push_back(quality_of(folder));
  if (std::ranges::none_of(found, [](const auto& quality) { return quality.has_value(); })) return;
  rows[0].insert(rows[0].end(), std::begin(kPathColumns), std::end(kPathColumns));
  for (size_t n = 0; n < folders.size(); ++n) {
    if (!found[n]) continue;
    const auto cells = from_file(folders[n], run::kPaths, [&] { return path_cells(*found[n]); });
    rows[n + 1].insert(rows[n + 1].end(), cells.begin(), cells.end());
  }
}

std::string mean_table(const std::vector<RunGroup>& groups) {
  std::vector<std::vector<std::string>> rows{
      {"runs", "model", "data", "score", "mean ± deviation", "differs by", "first run"}};
  for (const RunGroup& group : groups) {
    const std::vector<double> scores = group.scores();
    rows.push_back({std::to_string(scores.size()), group.model, group.data, group.metric, mean_text(scores),
                    differences(group, groups), group.folders.begin()->second.front()});
  }
  return fitted_table(rows, output_columns());
}

void say_repeated(const RunGroup& group) {
  for (const auto& [_, folders] : group.folders) {
    for (size_t n = 1; n < folders.size(); ++n) {
      std::cerr << terminal(folders[n]) << " has the same options, data and seeds as " << terminal(folders[0])
                << ": counted once\n";
    }
  }
}

// Where runs differ in their seeds alone: means over the seeds and, of two such groups, whether they differ.
void print_groups(const std::vector<RunGroup>& groups) {
  if (std::ranges::all_of(groups, [](const RunGroup& group) { return group.test.size() < 2; })) return;
  std::cout << "\n" << mean_table(groups);
  if (groups.size() == 2) std::cout << test_line(groups[0], groups[1]);
  for (const RunGroup& group : groups) say_repeated(group);
}

void compare(const CompareCommand& command) {
  std::vector<std::string> folders = finished_runs(command.folders);
  const bool by_name = command.sort == kByName;
  std::vector<RunGroup> groups = groups_of(folders, by_name || command.sort == kByScore ? "" : command.sort);
  if (!by_name) {
    sort_groups(groups);
    folders.clear();
    for (const RunGroup& group : groups) {
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
      ->check(one_of_names(orders))->capture_default_str();
  add_help(*sub, {},
           {"geniepath compare runs/first runs/second", "geniepath compare runs --sort roc_auc"});
  sub->callback([=] { compare(*command); });
}

}  // namespace geniepath::cli
