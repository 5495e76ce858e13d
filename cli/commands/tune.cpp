// geniepath tune: random or grid search for options with successive halving, by validation score only.
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "arguments/train_command.h"
#include "base/file.h"
#include "base/folder_lock.h"
#include "base/noun.h"
#include "base/option_rules.h"
#include "base/options_json.h"
#include "commands/commands.h"
#include "commands/tune_report.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "run/description_json.h"
#include "run/prepared_run.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/trained_run.h"
#include "terminal/console.h"
#include "terminal/option_binder.h"
#include "terminal/help.h"
#include "terminal/table_report.h"
#include "terminal/text.h"
#include "training/train_json.h"
#include "tune/halving.h"
#include "tune/search_space.h"
#include "tune/usual_ranges.h"

namespace geniepath::cli {
namespace {

using tune::Range;
using tune::Rung;
using tune::SearchSpace;
using tune::Setting;
using tune::TrialResult;
using Json = nlohmann::ordered_json;

struct SearchOptions : Options {
  tune::Search search = tune::Search::kRandom;
  int64_t trials = 27;
  int64_t keep_one_in = 3;
  int64_t least_epochs = 10;
  int64_t search_seed = 1;
  int64_t seeds = 1;
  int64_t winner_seeds = 3;

  void visit(OptionVisitor& options) override {
    options.choice("search", search, "draw trials from the ranges, or try every combination of choices");
    options.integer("trials", trials, {1, 1000000}, "initial number of trials; a grid has one per point");
    options.integer("keep-one-in", keep_one_in, {2, 1000},
                    "of the trials at each rung, the best one in this many continue");
    options.integer("least-epochs", least_epochs, {1, 1000000}, "least epochs of the first rung");
    options.integer("search-seed", search_seed, {0, int64_t{1} << 53},
                    "seed of the draws; --seed is that of the trainings");
    options.integer("seeds", seeds, {1, 1000},
                    "trainings per trial, with --seed and the following seeds; its score is their mean");
    options.integer("winner-seeds", winner_seeds, {0, 1000},
                    "trainings of the best trial afterwards, with --seed and the following seeds, for its test scores");
  }
};

struct TuneCommand : RecipeArguments {
  SearchOptions search;
  std::vector<std::string> ranges;
  std::string ranges_file, config, out = "runs/tune", device = "cpu";
  int64_t threads = 0;
  bool resume = false;
};

std::vector<std::string> ranges_in(const std::string& path) {
  std::vector<std::string> ranges;
  std::istringstream text(read_text(path));
  try {
    for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(text)) {
      if (item.inputs.size() != 1) fail(path, ": ", item.fullname(), ": expected one text such as \"log:1e-4:1e-1\"");
      ranges.push_back(item.fullname() + "=" + item.inputs[0]);
    }
  } catch (const CLI::Error& error) {
    fail(path, ": cannot read the ranges: ", error.what());
  }
  if (ranges.empty()) fail(path, ": no ranges here; expected lines such as learning-rate = \"log:1e-4:1e-1\"");
  return ranges;
}

std::vector<Range> parsed(const std::vector<std::string>& texts) {
  std::vector<Range> ranges;
  for (const std::string& text : texts) ranges.push_back(Range::parse(text));
  return ranges;
}

std::string run_name(int64_t trial, int64_t seed) {
  std::string number = std::to_string(trial);
  number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
  return number + "-" + std::to_string(seed);
}

PreparedRun prepared(const TuneCommand& command) {
  const Activity loading("loading the data");
  return prepare_run(command.request());
}

// A search and its folder:
//   tune.json      the search and the run it varies    trials.jsonl   one line per trial and rung
//   trials/0007-1/ the run of a trial and seed         best.toml      the best options, for train --config
//   trials.svg     scores over options                 winner/seed-1/ runs of the best options
class Tuner {
 public:
  Tuner(TuneCommand& command, const std::filesystem::path& out)
      : command_(command), out_(out), lock_(lock_where_there(out)), base_(prepared(command)),
        space_(parsed(command.ranges), base_.description),
        metric_(chosen_metric(base_.description.train, base_.data)),
        score_name_(judging_name(!base_.data.valid.empty()) + (" " + metric_)) {
    for (const std::string& note : base_.notes) std::cerr << terminal(note) << "\n";
    say_tables(base_.description.schema.report, base_.description.data.data);
    const SearchOptions& search = command.search;
    const int64_t trials = search.search == tune::Search::kGrid ? space_.grid_size() : search.trials;
    rungs_ = tune::plan_rungs(trials, base_.description.train.epochs, search.least_epochs, search.keep_one_in);
  }

  void run() {
    start();
    for (const Rung& rung : rungs_) {
      std::cerr << "rung   " << counted(rung.trials, "trial") << " to epoch " << rung.epochs
                << "\n";
    }
    std::optional<TrialResult> best;
    {
      ProgressLine line;
      line_ = &line;
      best = tune::run_halving(
          rungs_, out_ / "trials.jsonl",
          [this](int64_t trial, int64_t rung, int64_t epochs) { return run_trial(trial, rung, epochs); },
          {[this](const TrialResult& result, Json& json) { json["options"] = setting(result.trial); },
           [this](const TrialResult& result, const std::vector<Rung>&) { note(result); }});
    }
    report(best);
    if (best && command_.search.winner_seeds > 0) train_winner();
  }

 private:
  Setting setting(int64_t trial) const {
    if (command_.search.search == tune::Search::kGrid) return space_.grid_point(trial);
    return space_.draw(static_cast<uint64_t>(command_.search.search_seed), trial);
  }

  // Identifies the search: a resumed one must be the same.
  Json description() const {
    return {{"search", to_json(command_.search)}, {"ranges", command_.ranges}, {"run", to_json(base_.description)}};
  }

  void start() {
    device_named(command_.device);  // an Error before anything is written
    if (!lock_ && !command_.resume) make_folder(out_), lock_.emplace(out_);
    const auto file = out_ / "tune.json";
    if (!std::filesystem::exists(file)) {
      if (command_.resume) fail(out_.string(), ": no search here (expected ", file.string(), ")");
      write_atomically(file, [&](std::ostream& out) { out << description().dump(2) << "\n"; });
      return;
    }
    if (!command_.resume)
      fail(out_.string(), ": already contains a search; continue it with --resume, or choose another folder");
    if (read_text(file) != description().dump(2) + "\n") {
      fail(out_.string(), ": the search there was started with other options or ranges (", file.string(),
           " has them); a resumed search keeps them");
    }
  }

  PreparedRun trial_run(int64_t trial) const {
    PreparedRun made = base_;
    made.description = space_.with(setting(trial));
    if (space_.changes_preparation()) run::prepare_data(made);
    return made;
  }

  // Scores a trial by its mean over the seeds.
  std::optional<TrialResult> run_trial(int64_t trial, int64_t rung, int64_t epochs) {
    const PreparedRun run = trial_run(trial);
    TrialResult mean{trial, rung, 0, 0, ""};
    for (int64_t n = 0; n < command_.search.seeds; ++n) {
      PreparedRun seeded = run;
      seeded.description.train.seed += n;
      const auto result = run_seed(seeded, trial, rung, epochs);
      if (!result || result->score < 0) return result;
      mean.score += result->score / static_cast<double>(command_.search.seeds);
      mean.epochs = std::max(mean.epochs, result->epochs);
    }
    return mean;
  }

  std::optional<TrialResult> run_seed(const PreparedRun& run, int64_t trial, int64_t rung, int64_t epochs) {
    const RunFolder folder(out_ / "trials" / run_name(trial, run.description.train.seed));
    make_folder(folder.path());
    const FolderLock lock(folder.path());
    run::tidy_up(folder);
    int64_t done = folder.epochs_done();
    const bool resume = done > 0 && done <= epochs;  // a run ahead of its recorded lines starts over
    if (!resume) done = 0, folder.create(run.description, run.fitted, true);
    TrainHooks hooks;
    hooks.on_epoch = [&](const EpochRecord& record) {
      done = record.epoch;
      line_->show(share_done(rung, record.epoch),
                  "trial " + std::to_string(trial) + "  epoch " + std::to_string(done) + "/" + std::to_string(epochs) +
                      "  loss " + fixed(record.loss, 4) +
                      (best_score_ < 0 ? "" : "  best score so far " + fixed(best_score_, 4)));
    };
    hooks.should_stop = [&] { return interrupted() || done >= epochs; };
    try {
      const TrainResult result =
          geniepath::train(run.data, run.description, folder, hooks, resume, device_named(command_.device));
      if (result.interrupted && result.epochs < epochs) return std::nullopt;
      return TrialResult{trial, rung, result.epochs, result.valid.by_name(metric_), ""};
    } catch (const FileError&) {
      throw;
    } catch (const Error& error) {  // settings that cannot be trained score worst; the search continues
      return TrialResult{trial, rung, done, -1, error.what()};
    }
  }

  // Epochs from the rung before, of every trial.
  double epochs_of(int64_t rung) const {
    const auto at = static_cast<size_t>(rung);
    return static_cast<double>(rungs_[at].epochs - (rung == 0 ? 0 : rungs_[at - 1].epochs));
  }

  // The share of the search's epochs that are done: those of finished trials and of the one that reached `epoch`.
  double share_done(int64_t rung, int64_t epoch) const {
    double all = 0;
    for (size_t r = 0; r < rungs_.size(); ++r)
      all += static_cast<double>(rungs_[r].trials) * epochs_of(static_cast<int64_t>(r));
    const double begun = static_cast<double>(rungs_[static_cast<size_t>(rung)].epochs) - epochs_of(rung);
    return (epochs_done_ + static_cast<double>(epoch) - begun) / all;
  }

  void note(const TrialResult& result) {
    epochs_done_ += epochs_of(result.rung);
    best_score_ = std::max(best_score_, result.score);
    last_[result.trial] = {result, setting(result.trial)};
  }

  void report(const std::optional<TrialResult>& best) const {
    if (!best) {
      std::cerr << "stopped; the same command with --resume continues\n";
      return;
    }
    if (best->score < 0) fail("tune: every trial of the last rung failed; the last: ", best->error);
    constexpr size_t kShown = 10;
    std::vector<Trial> trials;
    for (const auto& [_, trial] : last_) trials.push_back(trial);
    write_atomically(out_ / "trials.svg", [&](std::ostream& out) { out << trials_svg(trials, metric_); });
    std::cout << trial_table(trials, score_name_, kShown) << "\n";
    const std::string text = run::config_text(space_.with(setting(best->trial)));
    write_atomically(out_ / "best.toml", [&](std::ostream& out) { out << text; });
    std::cout << "best trial " << best->trial << ": " << score_name_ << " " << fixed(best->score, 4) << "  "
              << setting(best->trial).dump() << "\n"
              << "geniepath train --config " << terminal((out_ / "best.toml").string()) << " trains it; "
              << terminal((out_ / "trials.svg").string()) << " draws the trials\n";
  }

  // Finished runs of an earlier process are kept.
  void train_winner() const {
    std::cout << "\n" << std::flush;
    ParsedTrain winner({"--config=" + (out_ / "best.toml").string(), "--out=" + (out_ / "winner").string(),
                        "--seeds=" + std::to_string(command_.search.winner_seeds), "--device=" + command_.device,
                        "--threads=" + std::to_string(command_.threads), "--resume"});
    winner.command.settle();
    train_repeatedly(winner.command);
  }

  TuneCommand& command_;
  std::filesystem::path out_;
  std::optional<FolderLock> lock_;
  PreparedRun base_;
  SearchSpace space_;
  std::string metric_, score_name_;  // "accuracy", "valid accuracy"
  std::vector<Rung> rungs_;
  ProgressLine* line_ = nullptr;
  double best_score_ = -1, epochs_done_ = 0;
  std::map<int64_t, Trial> last_;  // by trial: the last rung it reached
};

// Refuses ranges of options that have no effect, whatever values the other ranges take.
void check_ranges(const TuneCommand& command) {
  std::set<std::string> varied;
  for (const std::string& range : command.ranges) varied.insert(range.substr(0, range.find('=')));
  const OptionRules rules({&command.data.data, &command.data.tables, &command.model, &command.train, &command.walk});
  for (const std::string& name : varied) {
    if (const std::string why = rules.obstacle(name, varied); !why.empty()) fail("--range ", name, " ", why);
  }
}

void run_tune(TuneCommand& command) {
  use_threads(command.threads);
  if (!command.ranges_file.empty()) {
    for (const std::string& range : ranges_in(command.ranges_file)) command.ranges.push_back(range);
  }
  command.settle();
  if (command.all_folds()) fail("--folds: a search trains on one fold; expected --fold as well");
  if (command.ranges.empty()) {
    command.ranges = tune::usual_ranges(command, typed_in(*command.data.app));
    for (const std::string& range : command.ranges) std::cerr << "range  " << range << "\n";
  }
  check_ranges(command);
  Tuner tuner(command, command.out);
  watch_for_interrupt();
  tuner.run();
}

}  // namespace

void add_tune(CLI::App& app) {
  auto command = std::make_shared<TuneCommand>();
  CLI::App* sub = app.add_subcommand("tune", "search for the options with the best validation score");
  sub->add_option("--out", command->out, "folder for the search")->capture_default_str();
  sub->add_option(
         "--range", command->ranges,
         "an option to search, such as learning-rate=log:1e-4:1e-1, dropout=0:0.8 or hidden=choice:16,64; may be "
         "given several times; none: usual ranges for the model")
      ->allow_extra_args(false);
  sub->add_option("--ranges", command->ranges_file, "TOML file of such ranges: learning-rate = \"log:1e-4:1e-1\"");
  sub->add_flag("--resume", command->resume, "continue the search in --out");
  sub->add_option("--device", command->device, "where to train: cpu, cuda, cuda:1, ...");
  sub->add_option("--threads", command->threads, "threads to use (0: every core it may use)")
      ->check(CLI::Range(0, 4096));
  sub->add_option("--config", command->config, "TOML file with these options as keys; the command line wins");
  bind_options(*sub, command->search, "Search");
  command->bind(*sub);
  add_help(*sub, with_data_options({"model", "epochs", "seed", "trials", "search"}),
           {"geniepath tune --edges edges.csv --nodes nodes.csv",
            "geniepath tune --data pubmed --range learning-rate=log:1e-4:1e-1 --range dropout=0:0.8",
            "geniepath tune --data pubmed --out runs/pubmed --resume      the same options again, to continue"});
  sub->callback([command] {
    outlive_readers();
    run_tune(*command);
  });
}

}  // namespace geniepath::cli
