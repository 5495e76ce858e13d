#include "training/train_loop.h"

#include "geniepath/device.h"
#include "geniepath/error.h"
#include "training/bookkeeping.h"
#include "training/evaluation.h"
#include "training/loss.h"

namespace geniepath::training {
namespace {

constexpr double kSaveEvery = 10;  // seconds between checkpoints

// Saves the best weights and throws the reason why an epoch failed.
[[noreturn]] void stop(const Training& training, Recorder& recorder, const std::string& why) {
  const Progress& progress = training.progress();
  const int64_t epoch = progress.epoch + 1;
  if (progress.best.empty()) {
    fail("training: ", why, " at epoch ", epoch,
         progress.epoch == 0 ? "; no epoch was completed before" : "; earlier checkpoints are kept");
  }
  recorder.save_best(training);
  const std::string place = recorder.place();
  fail("training: ", why, " at epoch ", epoch, "; the best checkpoint, of epoch ", progress.best_epoch,
       place.empty() ? ", is lost" : ", is kept in " + place);
}

std::optional<EpochRecord> run_epoch_or_stop(Training& training, Recorder& recorder, const TrainHooks& hooks) {
  try {
    return training.run_epoch(hooks);
  } catch (const distributed::LostProcess&) {  // the training is as it was before the epoch
    if (training.progress().epoch > 0) recorder.save(training);
    throw;
  } catch (const Error& error) {
    stop(training, recorder, error.what());
  } catch (const std::exception& error) {
    const std::string why = out_of_memory_message(error);
    if (why.empty()) throw;
    stop(training, recorder, why);
  }
}

}  // namespace

TrainResult run_training(Training& training, Recorder& recorder, const TrainHooks& hooks) {
  const auto start = Clock::now();
  recorder.begin(training);
  const int64_t first = training.progress().epoch;
  bool stopped = hooks.should_stop && hooks.should_stop();
  auto saved = Clock::now();
  while (!training.finished() && !stopped) {
    const auto record = run_epoch_or_stop(training, recorder, hooks);
    if (!record) {
      stopped = true;
      break;
    }
    recorder.add(*record);
    if (hooks.on_epoch) hooks.on_epoch(*record);
    stopped = hooks.should_stop && hooks.should_stop();
    if (seconds_since(saved) > kSaveEvery) recorder.save(training), saved = Clock::now();
  }
  recorder.save(training);
  const double seconds = seconds_since(start);
  const int64_t epochs = training.progress().epoch - first;
  TrainResult result = training.finish(stopped && !training.finished(), hooks.on_layer);
  recorder.save_best(training);
  result.epochs = training.progress().epoch;
  result.best_epoch = training.progress().best_epoch;
  if (training.progress().loss.risen(result.epochs)) result.loss_rose_after = training.progress().loss.least_epoch;
  result.seconds = seconds;
  result.seconds_per_epoch = epochs > 0 ? seconds / static_cast<double>(epochs) : 0;
  result.peak_bytes = peak_bytes_of_process();
  return result;
}

}  // namespace geniepath::training

namespace geniepath {

Trained train(const Dataset& data, const Recipe& recipe, const TrainHooks& hooks, at::Device device) {
  if (data.train.empty()) fail(data.name, ": no labelled training node");
  training::check_metric(recipe.train, data);
  training::Recorder none;
  const training::Share share(data);
  const auto training =
      training::make_training(share, recipe, training::num_outputs(data.task, data.num_classes), device);
  TrainResult result = training::run_training(*training, none, hooks);
  return {training->model(), std::move(result)};
}

}  // namespace geniepath
