#include <algorithm>
#include <iostream>

#include "base/file.h"
#include "base/folder_lock.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "reproduce/figure_paths.h"
#include "reproduce/preset_runs.h"
#include "reproduce/reproduction.h"
#include "reproduce/seed_list.h"
#include "run/run_files.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/option_binder.h"
#include "terminal/run_table.h"
#include "terminal/text.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFigurePaths = "figure-paths";
constexpr const char* kWhere = "results.json, table.md and plot.svg are in ";

struct ReproduceCommand {
  std::string table, seeds = "5", out = "runs/reproduce", configs, data_dir, device, command;
  int64_t threads = 0, node = -1;
  std::vector<int64_t> depths{1, 2, 3, 4, 5, 6, 7};
  std::vector<std::string> only, set, data;
};

// Splits "key=value"; an Error without '='.
std::pair<std::string, std::string> parted(const char* option, const std::string& text) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0) fail(option, ": expected NAME=VALUE, found '", text, "'");
  return {text.substr(0, at), text.substr(at + 1)};
}

// An Error for an option that the table, its presets or the seeds decide.
void check_settable(const std::string& name) {
  for (const char* fixed : {"seed", "seeds", "data", "edges", "nodes", "model", "out", "resume", "force", "config", "fold",
                            "folds", "published-split", "data-seed"}) {
    if (name == fixed) fail("--set ", name, ": decided by the table, its presets and --seeds");
  }
}

// An Error unless the table shows this data.
void check_is_column(const std::string& data, const std::string& table) {
  if (table == kFigurePaths && data == "ppi") return;
  for (const PaperTable& shown : paper_tables()) {
    if (shown.name != table) continue;
    for (const PaperColumn& column : shown.columns) {
      if (column.data == data) return;
    }
  }
  fail("--data ", data, ": ", table, " has no data of this name");
}

PresetRuns runs_of(const ReproduceCommand& command) {
  PresetRuns runs{command.out, preset_folder(command.configs), {"--threads=" + std::to_string(command.threads)}, {}};
  if (!command.data_dir.empty()) runs.options.push_back("--data-dir=" + command.data_dir);
  if (!command.device.empty()) runs.options.push_back("--device=" + command.device);
  for (const std::string& text : command.set) {
    const auto [name, value] = parted("--set", text);
    check_settable(name);
    runs.options.push_back("--" + name + "=" + value);
  }
  for (const std::string& text : command.data) {
    const auto file = parted("--data", text);
    check_is_column(file.first, command.table);
    runs.data_files.insert(file);
  }
  return runs;
}

bool wanted(const ReproduceCommand& command, const std::string& preset) {
  if (command.only.empty()) return true;
  return std::any_of(command.only.begin(), command.only.end(),
                     [&](const std::string& part) { return preset.find(part) != std::string::npos; });
}

// Plans the cells that have a preset; rows of the paper without one are listed as left out.
void plan(const ReproduceCommand& command, const PresetRuns& runs, Reproduction& result) {
  const PaperTable& table = *result.table;
  const std::vector<int64_t> depths = table.over_depth ? command.depths : std::vector<int64_t>{0};
  for (size_t c = 0; c < table.columns.size(); ++c) {
    for (size_t r = 0; r < table.rows.size(); ++r) {
      const std::string first = table.columns[c].data + "-" + table.rows[r].variants.front();
      bool found = false;
      for (const std::string& variant : table.rows[r].variants) {
        const std::string preset = table.columns[c].data + "-" + variant;
        if (!runs.has(preset)) continue;
        found = true;
        if (!wanted(command, preset)) continue;
        for (const int64_t depth : depths) result.cells.push_back({r, c, preset, depth, {}});
      }
      if (!found && table.rows[r].paper[c] != kNoNumber && wanted(command, first)) {
        const std::string what = table.rows[r].method + " on " + table.columns[c].data;
        result.left_out.push_back(what + ": no preset " + first + ".toml");
      }
    }
  }
  if (result.cells.empty()) fail("reproduce: nothing of ", table.name, " is left to run; see --only and --configs");
}

SeedScore score_of(const Json& result, const std::string& metric, const PresetRun& run) {
  SeedScore score;
  score.seed = run.seed;
  score.folder = run.folder().string();
  return from_file(score.folder, run::kResult, [&] {
    score.valid = score_from_json(judging_scores(result).at(metric));
    score.test = score_from_json(result.at("test").at(metric));
    score.best_epoch = result.at("best_epoch"), score.seconds = result.at("seconds");
    score.hardware = result.value("hardware", "unrecorded hardware");
    for (const Json& protocol : result.value("protocols", Json::array())) {
      score.protocols[protocol.at("protocol")] = score_from_json(protocol.at("test").at(metric));
    }
    return score;
  });
}

void write_results(const fs::path& out, const std::string& json, const std::string& markdown, const std::string& svg) {
  const auto write = [&](const std::string& name, const std::string& text) {
    write_atomically(out / name, [&](std::ostream& stream) { stream << text; });
  };
  write("results.json", json);
  write("table.md", markdown);
  write("plot.svg", svg);
}

// Seed by seed, so that a stopped reproduction has results in every row. False if interrupted.
bool run_cells(const ReproduceCommand& command, const PresetRuns& runs, const fs::path& out, Reproduction& result) {
  const std::vector<int64_t> seeds = seed_list(command.seeds);
  size_t done = 0;
  const size_t all = seeds.size() * result.cells.size();
  for (const int64_t seed : seeds) {
    for (Cell& cell : result.cells) {
      const PaperColumn& column = result.table->columns[cell.column];
      const PresetRun run{cell.preset, column.data, seed, cell.depth, column.new_worlds};
      const std::string depth = cell.depth > 0 ? " T " + std::to_string(cell.depth) : "";
      const std::string title = "[" + std::to_string(++done) + "/" + std::to_string(all) + "] " + cell.preset + depth +
                                " seed " + std::to_string(seed) + "  ";
      const auto found = result_of(runs, run, title);
      if (!found) return false;
      cell.scores.push_back(score_of(*found, column.metric, run));
      write_results(out, result.to_json().dump(2) + "\n", result.to_markdown(), result.to_svg());
    }
  }
  return true;
}

void reproduce_table(const ReproduceCommand& command, const PaperTable& table) {
  const PresetRuns runs = runs_of(command);
  Reproduction result{&table, {}, {}, command.command};
  plan(command, runs, result);
  for (const std::string& what : result.left_out) std::cerr << "left out: " << terminal(what) << "\n";
  const fs::path out = runs.out / table.name;
  make_folder(out);
  const FolderLock lock(runs.out);
  const bool finished = run_cells(command, runs, out, result);
  if (!finished) std::cerr << "stopped; the same command continues from here\n";
  std::cout << result.to_markdown();
  std::cerr << kWhere << terminal(out.string()) << "\n";
}

// Receptive paths of one node of PPI's test graphs, from a GeniePath trained as in the table.
void reproduce_paths(const ReproduceCommand& command) {
  const PresetRuns runs = runs_of(command);
  const PresetRun run{"ppi-geniepath", "ppi"};
  const fs::path out = runs.out / kFigurePaths;
  make_folder(out);
  const FolderLock lock(runs.out);
  if (!result_of(runs, run, "ppi-geniepath  ")) {
    std::cerr << "stopped; the same command continues from here\n";
    return;
  }
  use_threads(command.threads);
  const RunFolder folder(runs.out / run.folder());
  const FigurePaths figure = figure_paths(folder, data_of(runs, run), command.node, command.command);
  write_results(out, figure.json, figure.markdown, figure.svg);
  std::cout << figure.markdown;
  std::cerr << kWhere << terminal(out.string()) << "\n";
}

void run_reproduce(const ReproduceCommand& command) {
  seed_list(command.seeds);  // complains before anything is planned or written
  if (command.table == kFigurePaths) return reproduce_paths(command);
  for (const PaperTable& table : paper_tables()) {
    if (table.name == command.table) return reproduce_table(command, table);
  }
}

// The command as typed, for the results; without paths of this machine.
std::string typed_command(const CLI::App& app) {
  std::string text = "geniepath reproduce";
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (name == "--out" || name == "--data-dir" || name == "--data" || name == "--configs" || name == kQuiet) continue;
    for (const std::string& value : option->results()) {
      text += " " + (option->get_positional() ? "" : name + " ") + value;
    }
  }
  return text;
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto command = std::make_shared<ReproduceCommand>();
  CLI::App* sub =
      app.add_subcommand("reproduce", "train a table or figure of the paper and show its numbers beside ours");
  std::vector<std::string> names{kFigurePaths};
  for (const PaperTable& table : paper_tables()) names.push_back(table.name);
  sub->add_option("table", command->table, "the table or figure")->required()->check(one_of_names(names));
  sub->add_option("--seeds", command->seeds, "runs per row: a number N for the seeds 1 to N, or seeds such as 1-5,11-15")
      ->capture_default_str();
  sub->add_option("--out", command->out, "folder for runs and results; finished runs in it are reused")
      ->capture_default_str();
  sub->add_option("--data-dir", command->data_dir, "folder of the data sets' files, as for train");
  sub->add_option("--device", command->device, "as for train");
  sub->add_option("--threads", command->threads, "threads to use (0: every core it may use)")
      ->check(CLI::Range(0, 4096));
  sub->add_option("--only", command->only, "rows whose preset's name contains this; may be given several times");
  sub->add_option("--data", command->data, "NAME=PATH: file or folder to read in place of a named data set");
  sub->add_option("--set", command->set, "NAME=VALUE: an option of train for every run, such as epochs=10");
  sub->add_option("--configs", command->configs, "folder of the presets");
  sub->add_option("--depths", command->depths, "figure-depth: the depths")->delimiter(',')->check(CLI::Range(1, 1000));
  sub->add_option("--node", command->node,
                  "figure-paths: the node (default: a test node with a neighbourhood of moderate size)");
  add_help(*sub, {},
           {"geniepath reproduce table-transductive --seeds 3",
            "geniepath reproduce table-citations --seeds 1-5,11-15",
            "geniepath reproduce figure-paths"});
  sub->callback([command, sub] {
    outlive_readers();
    command->command = typed_command(*sub);
    if (sub->count("--depths") > 0 && command->table != "figure-depth") fail("--depths applies only to figure-depth");
    if (sub->count("--node") > 0 && command->table != kFigurePaths) fail("--node applies only to ", kFigurePaths);
    run_reproduce(*command);
  });
}

}  // namespace geniepath::cli
