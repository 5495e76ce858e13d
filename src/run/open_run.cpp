#include "run/open_run.h"

#include <ATen/Parallel.h>

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "run/prepared_run.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/trained_run.h"
#include "training/train_json.h"

namespace geniepath::run {
namespace {

void write_config(const RunFolder& folder, const RunDescription& run) {
  write_atomically(folder.file(kConfig), [&](std::ostream& out) { out << config_text(run); });
}

std::string hardware_text(at::Device device) {
  const int threads = at::get_num_threads();
  if (device.is_cuda()) return hardware_name(device);
  return hardware_name(device) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace

OpenRun::OpenRun(const std::filesystem::path& folder) : folder_(folder), lock_(lock_where_there(folder)) {
  if (lock_) tidy_up(folder_);
}

void OpenRun::start(const RunRequest& request, bool force) {
  if (folder_.holds_run() && !force) {
    if (has_checkpoint(folder_)) folder_.create({}, {}, false);  // throws: it already holds a run
    notes_.push_back("the run begun in " + folder_.path().string() + " has no checkpoint yet: it starts over");
  }
  PreparedRun made = prepare_run(request);
  make_folder(folder_.path());
  if (!lock_) lock_.emplace(folder_.path());
  folder_.create(made.description, made.fitted, force);
  write_config(starting_place(folder_), made.description);
  description_ = std::move(made.description);
  data_ = std::move(made.data);
  notes_.insert(notes_.end(), made.notes.begin(), made.notes.end());
}

void OpenRun::resume(const GivenOptions& options) {
  resumed_ = true;
  description_ = resumed_run(folder_, options);
  const int64_t epochs = description_.train.epochs;
  if (const int64_t done = folder_.epochs_done(); options.given("epochs") && epochs < done) {
    fail("--epochs ", epochs, ": the run in ", folder_.path().string(), " has been trained for ", done,
         "; choose as many or more, or start over in another folder");
  }
  RunDescription kept = folder_.description();
  data_ = apply_transforms(load_dataset(description_.data, description_.tables, description_.schema), folder_.transforms());
  if (!std::filesystem::exists(folder_.file(kLast))) {
    notes_.push_back("the run in " + folder_.path().string() + " has no checkpoint yet: it starts over");
  }
  if (kept.train.epochs != epochs) {
    kept.train.epochs = epochs;
    drop_result(folder_);
    folder_.describe(kept);
  }
  write_config(folder_, kept);  // an earlier process may have been killed between writing model.json and config.toml
}

TrainResult OpenRun::train(const TrainHooks& hooks, at::Device device) {
  const TrainResult result = geniepath::train(data_, description_, folder_, hooks, resumed_, device);
  baselines_ = measure_baselines(description_, data_, result, hooks, device);
  if (!result.interrupted) {
    const nlohmann::ordered_json object = summary(result, device);
    write_atomically(folder_.file(kResult), [&](std::ostream& out) { out << sealed_json(object); });
  }
  return result;
}

nlohmann::ordered_json OpenRun::summary(const TrainResult& result, at::Device device) const {
  nlohmann::ordered_json object{{"model", description_.model.model},
                                {"data", description_.data.data},
                                {"seed", description_.train.seed},
                                {"metric", chosen_metric(description_.train, data_)},
                                {"protocol", to_string(chosen_protocol(description_.train, data_))},
                                {"threshold", result.threshold},
                                {"epochs", result.epochs},
                                {"best_epoch", result.best_epoch},
                                {"valid", to_json(result.valid)},
                                {"test", to_json(result.test)},
                                {"seconds", result.seconds},
                                {"seconds_per_epoch", result.seconds_per_epoch},
                                {"peak_bytes", result.peak_bytes}};
  if (result.loss_rose_after > 0) object["loss_rose_after"] = result.loss_rose_after;
  if (!result.protocols.empty()) object["protocols"] = to_json(result.protocols);
  if (baselines_) object["baselines"] = to_json(*baselines_);
  object["hardware"] = hardware_text(device);
  return object;
}

}  // namespace geniepath::run

namespace geniepath {

TrainResult train(const RunRequest& request, const RunFolder& folder, const RunSettings& settings,
                  const TrainHooks& hooks) {
  run::OpenRun run(folder.path());
  if (settings.resume) {
    run.resume({{}, [](const std::string&) { return false; }});
  } else {
    run.start(request, settings.force);
  }
  return run.train(hooks, settings.device);
}

}  // namespace geniepath
