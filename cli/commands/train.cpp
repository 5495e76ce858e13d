#include <ATen/Parallel.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "base/folder_lock.h"
#include "commands/commands.h"
#include "terminal/console.h"
#include "arguments/data_arguments.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "geniepath/train.h"
#include "arguments/new_run.h"
#include "terminal/option_binder.h"
#include "arguments/resumed_run.h"
#include "terminal/score_report.h"
#include "terminal/text.h"
#include "train/loss.h"
#include "train/replaced_run.h"
#include "train/run_files.h"
#include "arguments/train_command.h"

namespace geniepath::cli {
namespace {

std::string progress_text(const EpochRecord& epoch, const TrainConfig& config, const std::string& metric) {
  std::string scores;
  if (!epoch.valid.classes.empty()) {
    scores = "  valid " + metric + " " + fixed(epoch.valid.by_name(metric), 4) + "  best " + fixed(epoch.best_value, 4) +
             " (epoch " + std::to_string(epoch.best_epoch) + ")";
  }
  return "epoch " + std::to_string(epoch.epoch) + "/" + std::to_string(config.epochs) + "  loss " +
         fixed(epoch.loss, 4) + scores + "  " + fixed(epoch.seconds, 2) + " s/epoch";
}

TrainHooks hooks_for(const TrainConfig& config, const std::string& metric, const std::string& title,
                     ProgressLine& line) {
  TrainHooks hooks;
  hooks.on_epoch = [=, &line](const EpochRecord& epoch) {
    line.show(title + progress_text(epoch, config, metric), epoch.epoch == config.epochs);
  };
  hooks.should_stop = interrupted;
  return hooks;
}

nlohmann::ordered_json result_json(const RunDescription& run, const Dataset& data, const TrainResult& result) {
  nlohmann::ordered_json object{{"model", run.model.model},
                                {"data", run.data.data},
                                {"seed", run.train.seed},
                                {"metric", chosen_metric(run.train, data)},
                                {"protocol", to_string(chosen_protocol(run.train, data))},
                                {"threshold", result.threshold},
                                {"epochs", result.epochs},
                                {"best_epoch", result.best_epoch},
                                {"valid", to_json(result.valid)},
                                {"test", to_json(result.test)},
                                {"seconds", result.seconds},
                                {"seconds_per_epoch", result.seconds_per_epoch},
                                {"peak_bytes", result.peak_bytes}};
  if (!result.protocols.empty()) object["protocols"] = protocols_json(result.protocols);
  return object;
}

void describe(const Dataset& data, const RunDescription& run, c10::Device device) {
  const auto model = make_model(run.model, run.features, training::num_outputs(run.task, run.classes), 0);
  std::cerr << "data   " << terminal(data.name) << ": " << data.graph.num_nodes() << " nodes, " << data.graph.num_edges()
            << " edge entries, " << data.features.num_features() << (data.features.is_sparse() ? " sparse" : "")
            << " features, " << to_string(data.task) << " with " << data.num_classes << " classes; " << data.train.size()
            << " train, " << data.valid.size() << " valid, " << data.test.size() << " test nodes\n"
            << "model  " << run.model.model << ": K " << run.model.hidden << ", T " << run.model.depth << ", "
            << num_parameters(*model) << " parameters; "
            << (device.is_cuda() ? device.str() : std::to_string(at::get_num_threads()) + " threads") << ", "
            << run.model.precision << "\n";
  if (data.valid.empty()) std::cerr << "no validation nodes: the best epoch is picked by the training nodes' score\n";
}

void report(const TrainCommand& command, const TrainOutcome& outcome) {
  const TrainResult& result = outcome.result;
  const RunFolder folder(command.out);
  if (result.interrupted && training::starting_place(folder).path() != folder.path()) {
    std::cerr << "stopped before the first epoch; the old run in " << command.out << " is kept\n";
  } else if (result.interrupted) {
    std::cerr << "stopped after epoch " << result.epochs << "; go on with: geniepath train --resume --out "
              << terminal(command.out) << "\n";
  }
  if (command.json) {
    std::cout << outcome.summary.dump() << std::endl;
    return;
  }
  std::cout << "best epoch " << result.best_epoch << " of " << result.epochs << ", " << fixed(result.seconds, 1)
            << " s, peak memory " << bytes_text(result.peak_bytes) << "\nvalid  " << summary_line(result.valid) << "\n";
  if (!result.interrupted) std::cout << "test   " << summary_line(result.test) << "\n\n" << class_table(result.test);
  std::cout << "\nrun in " << terminal(command.out) << ": best.safetensors, last.safetensors, model.json, metrics.jsonl\n";
}

std::string hardware_text(c10::Device device) {
  const int threads = at::get_num_threads();
  if (device.is_cuda()) return hardware_name(device);
  return hardware_name(device) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

void write_config(const RunFolder& folder, const RunDescription& run) {
  write_atomically(folder.file(training::kConfig), [&](std::ostream& out) { out << config_text(run); });
}

// A run that is written to by this process alone.
struct OwnRun {
  RunFolder folder;
  std::optional<FolderLock> lock;  // none before the folder is there
  RunDescription description;
  Dataset data;

  explicit OwnRun(const std::string& out) : folder(out), lock(lock_where_there(out)) {
    if (lock) training::tidy_up(folder);
  }
};

// A new run: its data, prepared, and its folder.
void start(const TrainCommand& command, OwnRun& run) {
  const RunFolder& folder = run.folder;
  if (folder.holds_run() && !command.force) {
    if (training::has_checkpoint(folder)) folder.create({}, {}, false);  // says that it holds a run already
    std::cerr << "the run begun in " << command.out << " has no checkpoint yet: it starts over\n";
  }
  NewRun made = prepare_run(*command.app, command, command.data);
  make_folder(folder.path());
  if (!run.lock) run.lock.emplace(folder.path());
  folder.create(made.description, made.fitted, command.force);
  write_config(training::starting_place(folder), made.description);
  run.description = std::move(made.description);
  run.data = std::move(made.data);
}

// One that goes on, to as many epochs as are asked for now.
void go_on(const TrainCommand& command, OwnRun& run) {
  const RunFolder& folder = run.folder;
  run.description = resumed_run(command);
  if (const int64_t done = folder.epochs_done(); command.app->count("--epochs") > 0 && command.train.epochs < done) {
    fail("--epochs ", command.train.epochs, ": the run in ", command.out, " has been trained for ", done,
         "; choose as many or more, or start over in another folder");
  }
  RunDescription kept = folder.description();
  run.data = apply_transforms(load_dataset(run.description.data, run.description.tables, run.description.schema),
                              folder.transforms());
  if (!std::filesystem::exists(folder.file(training::kLast))) {
    std::cerr << "the run in " << command.out << " has no checkpoint yet: it starts over\n";
  }
  if (kept.train.epochs != run.description.train.epochs) {
    kept.train.epochs = run.description.train.epochs;
    training::drop_result(folder);
    folder.describe(kept);
  }
  write_config(folder, kept);  // a process may have been killed after it wrote the one and before the other
}

}  // namespace

TrainOutcome run_training(const TrainCommand& command) {
  use_threads(command.threads);
  const c10::Device device = device_named(command.device);
  OwnRun own(command.out);
  command.resume ? go_on(command, own) : start(command, own);
  const auto& [folder, _, run, data] = own;
  if (command.title.empty()) describe(data, run, device);
  const std::string metric = chosen_metric(run.train, data);
  watch_for_interrupt();
  TrainOutcome outcome;
  {
    ProgressLine line;
    outcome.result = train(data, run, folder, hooks_for(run.train, metric, command.title, line), command.resume, device);
  }
  outcome.summary = result_json(run, data, outcome.result);
  outcome.summary["hardware"] = hardware_text(device);
  if (!outcome.result.interrupted) {
    write_atomically(folder.file(training::kResult), [&](std::ostream& out) { out << sealed_json(outcome.summary); });
  }
  return outcome;
}

void TrainCommand::bind(CLI::App& command) {
  app = &command;
  command.add_option("--out", out, "folder for the run: weights, config, metrics")->capture_default_str();
  command.add_flag("--json", json, "print the result as one JSON line on stdout");
  command.add_flag("--resume", resume, "go on with the run in --out from its last checkpoint");
  command.add_flag("--force", force, "replace the run in --out");
  command.add_option("--device", device, "where to train: cpu, cuda, cuda:1, ...");
  command.add_option("--threads", threads, "threads to use (0: every core it may use)")->check(CLI::Range(0, 4096));
  command.add_option("--config", config, "TOML file with these options as keys; the command line wins");
  data.bind_source(command);
  bind_options(command, model, "Model");
  bind_options(command, train, "Training");
  bind_options(command, walk, "Random walks (node2vec, deepwalk, --task unsupervised)");
  data.bind_tables(command);
  data.bind_preparation(command);
}

void add_train(CLI::App& app) {
  auto command = std::make_shared<TrainCommand>();
  CLI::App* sub = app.add_subcommand("train", "train a model and keep the best of it");
  command->bind(*sub);
  sub->callback([command] { report(*command, run_training(*command)); });
}

}  // namespace geniepath::cli
