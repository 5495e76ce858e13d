#include "run/trained_run.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "base/folder_lock.h"
#include "base/noun.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "io/safetensors.h"
#include "run/folder_recorder.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/shared_recorder.h"
#include "run/weights_file.h"
#include "training/loss.h"

namespace geniepath {
namespace {

TrainHooks agreed(TrainHooks hooks, distributed::Group& group) {
  if (group.is_alone() || !hooks.should_stop) return hooks;
  hooks.should_stop = [&group, own = hooks.should_stop] { return group.any(own()); };
  return hooks;
}

std::unique_ptr<training::Recorder> recorder_in(const RunFolder& folder, bool resume, distributed::Group& group) {
  auto first = group.is_first() ? std::make_unique<run::FolderRecorder>(folder, resume) : nullptr;
  if (group.is_alone()) return first;
  return std::make_unique<run::SharedRecorder>(std::move(first), group);
}

}  // namespace

TrainResult train(const Dataset& data, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume, at::Device device) {
  return train(training::Share(data), description, folder, hooks, resume, device);
}

TrainResult train(const training::Share& share, const RunDescription& description, const RunFolder& folder,
                  const TrainHooks& hooks, bool resume, at::Device device) {
  distributed::Group& group = share.group();
  if (share.count(training::Split::kTrain) == 0) fail(share.data().name, ": no labelled training node");
  check_fits(description, share.data());
  const RunFolder place = resume ? folder : run::starting_place(folder);
  if (group.is_first() && place.epochs_done() < description.train.epochs) run::drop_result(place);
  try {
    const int64_t outputs = training::num_outputs(description.task, description.classes);
    const auto training = training::make_training(share, description, outputs, device);
    return training::run_training(*training, *recorder_in(place, resume, group), agreed(hooks, group));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string why = out_of_memory_message(error);
    if (why.empty()) throw;
    fail("training: ", why, "; checkpoints in ", folder.path().string(), " are kept");
  }
}

std::shared_ptr<Model> load_model(const RunFolder& folder) {
  const RunDescription run = folder.description();
  if (!std::filesystem::exists(folder.file(run::kBest)) && !std::filesystem::exists(folder.file(run::kLast))) {
    fail(folder.path().string(), ": the run has no checkpoint yet; train it first (train --resume)");
  }
  auto model = make_model(run.model, run.features, training::num_outputs(run.task, run.classes), 0);
  const auto path = folder.file(run::kBest);
  if (!std::filesystem::exists(path)) {
    fail(path.string(), ": missing; the best weights are also in ", run::kLast,
         ", from which geniepath train --resume --out ", folder.path().string(), " restores the file");
  }
  training::set_weights(*model, run::load_weights(path), path.string());
  return model;
}

void save_model(const RunFolder& folder, const Model& model) {
  const auto path = folder.file(run::kBest);
  const training::Weights weights = training::copy_weights(model);
  check_tensors_finite(weights, "save_model");
  const auto fitting = load_model(folder);
  training::set_weights(*fitting, weights, "save_model");
  TensorFile file = read_safetensors(path);
  const bool same =
      std::ranges::all_of(weights, [&](const auto& item) { return item.second.equal(file.tensors.at(item.first)); });
  if (same) return;
  const FolderLock lock(folder.path());
  run::drop_result(folder);
  file.tensors = weights;
  write_safetensors(path, file);
}

void check_fits(const RunDescription& run, const Dataset& data) {
  if (run.task != data.task) {
    fail(data.name, ": a ", to_string(data.task), " task, but the model was made for ", to_string(run.task));
  }
  if (run.features != data.features.num_features()) {
    fail(data.name, ": ", counted(data.features.num_features(), "feature"), ", but the model takes ", run.features);
  }
  if (run.classes < data.num_classes) {
    fail(data.name, ": ", counted(data.num_classes, "class", "classes"), ", but the model has ", run.classes);
  }
  for (size_t c = 0; c < std::min(run.class_names.size(), data.class_names.size()); ++c) {
    if (run.class_names[c] == data.class_names[c]) continue;
    fail(data.name, ": class ", c, " is '", data.class_names[c], "', but '", run.class_names[c], "' in the run");
  }
}

}  // namespace geniepath
