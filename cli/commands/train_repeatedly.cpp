// geniepath train --seeds, --folds: one run per seed and fold, and one table.
#include <iostream>

#include "arguments/train_command.h"
#include "geniepath/error.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "terminal/console.h"
#include "terminal/run_table.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Repeat {
  int64_t seed = 0, fold = 0;  // fold 0: not cross-validated

  std::string name() const {
    return (fold > 0 ? "fold-" + std::to_string(fold) + "-" : "") + "seed-" + std::to_string(seed);
  }
};

std::vector<Repeat> repeats_of(const TrainCommand& command) {
  std::vector<Repeat> repeats;
  const int64_t folds = command.all_folds() ? command.data.transforms.folds : 0;
  for (int64_t fold = std::min<int64_t>(folds, 1); fold <= folds; ++fold) {
    for (int64_t n = 0; n < command.seeds; ++n) repeats.push_back({command.train.seed + n, fold});
  }
  return repeats;
}

TrainCommand command_for(const TrainCommand& command, const Repeat& repeat, size_t number, size_t all) {
  TrainCommand one = command;
  one.out = (std::filesystem::path(command.out) / repeat.name()).string();
  one.train.seed = repeat.seed;
  one.fold = repeat.fold;
  one.title = "run " + std::to_string(number) + "/" + std::to_string(all) + "  ";
  one.brief = number > 1;
  return one;
}

// None if interrupted.
std::optional<Json> result_of(const TrainCommand& one) {
  if (one.resume) return finished_result(one);
  const TrainOutcome outcome = run_training(one);
  return outcome.result.interrupted ? std::nullopt : std::optional<Json>(outcome.summary);
}

}  // namespace

std::optional<Json> finished_result(TrainCommand command) {
  const RunFolder folder(command.out);
  if (run::has_checkpoint(folder)) run::check_same_run(folder, command.given());
  if (std::filesystem::exists(folder.file(run::kResult))) return read_result(command.out);
  command.resume = folder.holds_run() && std::filesystem::exists(folder.file(run::kLast));
  command.force = !command.resume;
  const TrainOutcome outcome = run_training(command);
  return outcome.result.interrupted ? std::nullopt : std::optional<Json>(outcome.summary);
}

void train_repeatedly(const TrainCommand& command) {
  if (RunFolder(command.out).holds_run()) {
    fail(command.out, ": holds a run itself; choose another folder for several (--out)");
  }
  const std::vector<Repeat> repeats = repeats_of(command);
  std::vector<NamedResult> done;
  for (size_t n = 0; n < repeats.size(); ++n) {
    const auto result = result_of(command_for(command, repeats[n], n + 1, repeats.size()));
    if (!result) break;
    done.push_back({repeats[n].name(), *result});
  }
  if (done.size() < repeats.size()) {
    std::cerr << "stopped after " << done.size() << " of " << repeats.size()
              << " runs; the same command with --resume continues\n";
  }
  if (done.empty()) return;
  if (command.json) {
    std::cout << repeated_json(done).dump() << std::endl;
  } else {
    std::cout << repeated_table(done) << "\ntest scores, mean ± standard deviation; runs in " << terminal(command.out)
              << std::endl;
  }
  for (const std::string& sentence : unbeaten(done)) std::cerr << sentence << "\n";
}

}  // namespace geniepath::cli
