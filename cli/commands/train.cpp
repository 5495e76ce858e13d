#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "arguments/train_command.h"
#include "base/memory_limit.h"
#include "base/noun.h"
#include "commands/commands.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "run/open_run.h"
#include "run/replaced_run.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/score_report.h"
#include "terminal/table_report.h"
#include "terminal/text.h"
#include "training/loss.h"
#include "training/train_json.h"

namespace geniepath::cli {
namespace {

std::string progress_text(const EpochRecord& epoch, const TrainConfig& config, const std::string& metric) {
  std::string scores;
  if (!epoch.valid.classes.empty()) {
    scores = std::string("  ") + judging_name(epoch.validated) + " " + metric + " " +
             fixed(epoch.valid.by_name(metric), 4) + "  best " + fixed(epoch.best_value, 4) + " (epoch " +
             std::to_string(epoch.best_epoch) + ")";
  }
  return "epoch " + std::to_string(epoch.epoch) + "/" + std::to_string(config.epochs) + "  loss " +
         fixed(epoch.loss, 4) + scores + "  " + fixed(epoch.seconds, 2) + " s/epoch";
}

// Steps and layers are shown within epochs of mini-batches that take longer than a second.
class TrainProgress {
 public:
  TrainProgress(const TrainConfig& config, std::string metric, std::string title)
      : config_(config), metric_(std::move(metric)), title_(std::move(title)) {}

  TrainHooks hooks() {
    TrainHooks hooks;
    hooks.should_stop = interrupted;
    hooks.on_epoch = [this](const EpochRecord& epoch) {
      epochs_ = epoch.epoch, began_ = Clock::now();
      line_.show(share(0), title_ + progress_text(epoch, config_, metric_), epoch.epoch == config_.epochs);
    };
    if (config_.batch == BatchKind::kWhole) return hooks;
    hooks.on_step = [this](const StepRecord& step) {
      epochs_ = step.epoch - 1;
      show_within(static_cast<double>(step.step) / static_cast<double>(step.steps + 1), "step", step.step, step.steps);
    };
    hooks.on_layer = [this](int64_t done, int64_t layers) {
      show_within(1, epochs_ == config_.epochs ? "scored, layer" : "validating, layer", done, layers);
    };
    return hooks;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // The share of epochs done, with a part of the next one.
  double share(double part) const {
    return (static_cast<double>(epochs_) + part) / static_cast<double>(config_.epochs);
  }

  void show_within(double part, const char* what, int64_t done, int64_t of) {
    if (Clock::now() - began_ < std::chrono::seconds(1)) return;
    const int64_t epoch = std::min(epochs_ + 1, config_.epochs);
    line_.show(share(part), title_ + "epoch " + std::to_string(epoch) + "/" + std::to_string(config_.epochs) + "  " +
                                what + " " + std::to_string(done) + " of " + std::to_string(of));
  }

  TrainConfig config_;
  std::string metric_, title_;
  int64_t epochs_ = 0;  // done
  Clock::time_point began_ = Clock::now();
  ProgressLine line_;
};

constexpr const char* kLimitAlone = "--memory-limit: several processes train without a limit; use a single process";

// Applies the memory limit, if one is given, after checking that the training can keep to it.
void limit_memory_of(const TrainCommand& command) {
  if (!command.memory.given()) return;
  if (!command.group->is_alone()) fail(kLimitAlone);
  const RunDescription resumed = command.resume ? RunFolder(command.out).description() : RunDescription();
  const TrainConfig& config = command.resume ? resumed.train : command.train;
  command.memory.require_graph_file(command.resume ? resumed.data : command.data.data);
  if (config.batch == BatchKind::kWhole) {
    fail(
        "--memory-limit: a step of --batch whole holds the whole graph; choose --batch neighbours, labor, components "
        "or clusters");
  }
  command.memory.apply(command.device, command.out);
}

void describe(const TrainCommand& command, const Dataset& data, const RunDescription& run, c10::Device device) {
  const auto model = make_model(run.model, run.features, training::num_outputs(run.task, run.classes), 0);
  std::cerr << "data   " << terminal(data.name) << (command.partition.empty() ? "" : ", the first piece") << ": "
            << counted(data.graph.num_nodes(), "node") << ", "
            << counted(data.graph.num_edges(), "edge entry", "edge entries") << ", " << data.features.num_features()
            << (data.features.is_sparse() ? " sparse " : " ") << noun(data.features.num_features(), "feature") << ", "
            << to_string(data.task) << " with " << counted(data.num_classes, "class", "classes") << "; "
            << data.train.size() << " train, " << data.valid.size() << " valid, "
            << counted(data.test.size(), "test node") << "\n"
            << "model  " << run.model.model << ": K " << run.model.hidden << ", T " << run.model.depth << ", "
            << counted(num_parameters(*model), "parameter") << "; "
            << (device.is_cuda() ? device.str() : counted(at::get_num_threads(), "thread")) << ", "
            << to_string(run.model.precision) << "\n";
  if (data.valid.empty() && command.partition.empty())
    std::cerr << "no validation nodes: the best epoch is picked by the training nodes' score\n";
}

// Says each note once, as those of several runs in one command are mostly the same.
void say_once(const std::vector<std::string>& notes) {
  static std::set<std::string> said;
  for (const std::string& note : notes) {
    if (said.insert(note).second) std::cerr << terminal(note) << "\n";
  }
}

// The baselines that the result is measured against, beside the result.
void print(const run::Baselines& baselines) {
  std::cout << "majority  " << summary_line(baselines.majority) << "\n";
  if (baselines.mlp) {
    std::cout << "mlp    " << summary_line(*baselines.mlp) << "  (the same features without edges, "
              << fixed(baselines.seconds, 1) << " s)\n";
  }
}

// Warns if the result is worth little. An MLP that is no better than the majority class says nothing for the features.
void warn(const TrainOutcome& outcome) {
  const run::Baselines& baselines = *outcome.baselines;
  const std::string& metric = outcome.metric;
  const double own = outcome.result.test.by_name(metric);
  if (!baselines.only_class.empty()) {
    std::cerr << "the run predicts '" << terminal(baselines.only_class) << "' for every test node\n";
  }
  const auto beats = [&](const Scores& other, const char* name) {
    if (!(own <= other.by_name(metric))) return true;  // also if undefined
    std::cerr << "the run does not beat " << name << ": test " << metric << " " << fixed(own, 4) << " against "
              << fixed(other.by_name(metric), 4) << "\n";
    return false;
  };
  const Scores& majority = baselines.majority;
  if (beats(majority, "the majority class") && outcome.result.test.accuracy < majority.accuracy) {
    std::cerr << "the majority class has a lower test " << metric << ", " << fixed(majority.by_name(metric), 4)
              << ", but a higher accuracy: " << fixed(majority.accuracy, 4) << " against "
              << fixed(outcome.result.test.accuracy, 4) << "\n";
  }
  const bool mixes = outcome.model.model == "geniepath" && outcome.model.residual == Residual::kNone;
  if (baselines.mlp && !beats(*baselines.mlp, "an MLP on the same features") && mixes &&
      baselines.mlp->by_name(metric) > majority.by_name(metric)) {
    std::cerr
        << "where a node's own features decide, --model geniepath-lazy or --residual hop keeps them apart from its "
           "neighbours'\n";
  }
}

std::string peak_text(const TrainResult& result) {
  if (memory_limit() == 0) return bytes_text(result.peak_bytes);
  return bytes_text(peak_private_memory()) + ", and pages of files (" + bytes_text(result.peak_bytes) + " with these)";
}

void print(const TrainCommand& command, const TrainOutcome& outcome) {
  const TrainResult& result = outcome.result;
  std::cout << "best epoch " << result.best_epoch << " of " << result.epochs << ", " << fixed(result.seconds, 1)
            << " s, peak memory " << peak_text(result) << "\n"
            << judging_name(result.validated) << "  " << summary_line(result.valid) << "\n";
  if (!result.interrupted) {
    std::cout << "test   " << summary_line(result.test) << "\n";
    if (outcome.baselines) print(*outcome.baselines);
    std::cout << "\n" << class_table(result.test);
  }
  std::cout << "\nrun in " << terminal(command.out) << ": best.safetensors, last.safetensors, model.json, metrics.jsonl"
            << std::endl;
}

}  // namespace

void report(const TrainCommand& command, const TrainOutcome& outcome) {
  const TrainResult& result = outcome.result;
  const RunFolder folder(command.out);
  if (result.interrupted && run::starting_place(folder).path() != folder.path()) {
    std::cerr << "stopped before the first epoch; the old run in " << command.out << " is kept\n";
  } else if (result.interrupted) {
    std::cerr << "stopped after epoch " << result.epochs << "; continue with: geniepath train --resume --out "
              << terminal(command.out) << "\n";
  }
  if (result.loss_rose_after > 0) {
    std::cerr << "the training loss has risen since epoch " << result.loss_rose_after
              << ": a lower --learning-rate or a longer --warmup may keep it down\n";
  }
  if (command.json) {
    std::cout << outcome.summary.dump() << std::endl;
  } else {
    print(command, outcome);
  }
  if (outcome.baselines) warn(outcome);
}

TrainOutcome run_training(const TrainCommand& command) {
  limit_memory_of(command);
  use_threads(command.threads);
  const c10::Device device = device_named(command.device);
  run::OpenRun run(command.out, *command.group);
  {
    const Activity loading("loading the data");
    if (command.resume) {
      run.resume(command.given(), command.partition);
    } else {
      RunRequest request = command.request();
      request.partition = command.partition;
      run.start(request, command.force);
    }
  }
  say_once(run.notes());
  if (!command.brief) {
    const RunDescription& made = run.description();
    if (command.partition.empty()) say_tables(made.schema.report, made.data.data);  // `partition` said it of the whole
    describe(command, run.data(), made, device);
  }
  const TrainConfig& config = run.description().train;
  const std::string metric = chosen_metric(config, run.data());
  watch_for_interrupt();
  TrainOutcome outcome;
  {
    TrainProgress progress(config, metric, command.title);
    outcome.result = run.train(progress.hooks(), device);
  }
  outcome.summary = run.summary(outcome.result, device);
  outcome.metric = metric;
  outcome.model = run.description().model;
  outcome.baselines = run.baselines();
  return outcome;
}

void add_train(CLI::App& app) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* sub = app.add_subcommand("train", "train a model and keep its best weights");
  command->bind(*sub);
  add_help(*sub,
           with_data_options({"model", "hidden", "depth", "epochs", "learning-rate", "patience", "seed", "split",
                              "folds", "positive", "missing"}),
           {"geniepath train --out runs/first",
            "geniepath train --edges edges.csv --nodes nodes.csv --label-column fraud",
            "geniepath train --edges edges.csv --nodes nodes.csv --seeds 5 --folds 5",
            "geniepath train --config configs/pubmed-geniepath.toml --data-dir data",
            "geniepath train --resume --out runs/first"});
  sub->callback([command] {
    outlive_readers();
    const bool repeated = command->seeds > 1 || command->all_folds();
    if (!command->resume || repeated) command->settle();
    if (command->memory.given() && command->processes > 1) fail(kLimitAlone);
    if (train_together(*command)) return;
    if (repeated) return train_repeatedly(*command);
    report(*command, run_training(*command));
  });
}

}  // namespace geniepath::cli
