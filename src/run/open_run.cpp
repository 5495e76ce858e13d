#include "run/open_run.h"

#include <ATen/Parallel.h>

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "base/json_text.h"
#include "base/noun.h"
#include "base/options_json.h"
#include "data/fingerprint.h"
#include "geniepath/device.h"
#include "geniepath/error.h"
#include "io/safetensors.h"
#include "run/data_files.h"
#include "run/description_json.h"
#include "run/prepared_run.h"
#include "run/replaced_run.h"
#include "run/run_files.h"
#include "run/shared_recorder.h"
#include "run/trained_run.h"
#include "run/weights_file.h"
#include "training/train_json.h"

namespace geniepath::run {
namespace {

void write_config(const RunFolder& folder, const RunDescription& run) {
  write_atomically(folder.file(kConfig), [&](std::ostream& out) { out << config_text(run); });
}

std::string hardware_text(at::Device device, int64_t processes) {
  const int threads = at::get_num_threads();
  const std::string together = processes > 1 ? std::to_string(processes) + " processes" : "";
  if (device.is_cuda()) return hardware_name(device) + (together.empty() ? "" : ", " + together);
  return hardware_name(device) + ", " + (together.empty() ? "" : together + ", each ") + counted(threads, "thread");
}

}  // namespace

OpenRun::OpenRun(const std::filesystem::path& folder, distributed::Group& group) : group_(group), folder_(folder) {
  if (group.is_first()) lock_ = lock_where_there(folder);
  if (lock_) tidy_up(folder_);
}

void OpenRun::start(const RunRequest& request, bool force) {
  if (group_.is_first() && folder_.holds_run() && !force) {
    if (has_checkpoint(folder_)) folder_.create({}, {}, false);  // throws: it already holds a run
    notes_.push_back("the run begun in " + folder_.path().string() + " has no checkpoint yet: it starts over");
  }
  PreparedRun made = request.partition.empty() ? prepare_run(request) : open_partition(request);
  if (request.written) request.written->finish();  // a run never names data that is not on disk
  if (group_.is_first()) create_folder(made, force);
  description_ = std::move(made.description);
  data_ = std::move(made.data);
  notes_.insert(notes_.end(), made.notes.begin(), made.notes.end());
  check_same_data(description_.fingerprint + partition_);
}

void OpenRun::create_folder(const PreparedRun& made, bool force) {
  make_folder(folder_.path());
  if (!lock_) lock_.emplace(folder_.path());
  folder_.create(made.description, made.fitted, force);
  write_config(starting_place(folder_), made.description);
}

// The run is the same as one on the whole data.
PreparedRun OpenRun::open_partition(const RunRequest& request) {
  const PartitionFolder found = read_partition(request.partition);
  take_piece(found, request.partition);
  PreparedRun made;
  made.description = found.description;
  static_cast<Recipe&>(made.description) = request.recipe;
  made.data.name = piece_->data.name;
  made.fitted = found.fitted;
  choose_objective(made.description);
  const bool own_features = found.description.transforms.node_features == NodeFeatures::kGiven;
  choose_model(made, own_features ? found.description.features : 0, request);
  adapt_to_labels(made, found.training_nodes, request);
  return made;
}

void OpenRun::take_piece(const PartitionFolder& partition, const std::filesystem::path& folder) {
  if (partition.id.pieces != group_.size()) {
    fail(folder.string(), ": ", counted(partition.id.pieces, "piece"), ", one per process, but there ",
         group_.is_alone() ? "is " : "are ", counted(group_.size(), "process", "processes"), " (--processes)");
  }
  partition::PieceId id = partition.id;
  id.rank = group_.rank();
  piece_ = partition::read_piece(folder, id);
  partition_ = id.partition;
}

void OpenRun::resume(const GivenOptions& options, const std::filesystem::path& partition) {
  resumed_ = true;
  if (group_.is_first()) read_folder(options);
  if (group_.is_first() && partition.empty() && !options.given("data")) check_data_files(description_);
  receive_run();
  load_resumed(partition);
  if (group_.is_first()) keep_epochs();
}

void OpenRun::load_resumed(const std::filesystem::path& partition) {
  if (!partition.empty()) {
    const PartitionFolder found = read_partition(partition);
    if (found.description.fingerprint != description_.fingerprint ||
        to_json(found.description.transforms) != to_json(description_.transforms)) {
      fail(partition.string(), ": pieces of other data, or prepared otherwise, than the run in ",
           folder_.path().string());
    }
    take_piece(found, partition);
    return check_same_data(partition_);
  }
  const Dataset raw = load_dataset(description_.data, description_.tables, description_.schema);
  const std::string print = fingerprint(raw);
  check_same_data(print);
  check_unchanged(description_, print, folder_.path().string());
  data_ = apply_transforms(raw, fitted_);
}

void OpenRun::read_folder(const GivenOptions& options) {
  description_ = resumed_run(folder_, options);
  const int64_t epochs = description_.train.epochs;
  if (const int64_t done = folder_.epochs_done(); options.given("epochs") && epochs < done) {
    fail("--epochs ", epochs, ": the run in ", folder_.path().string(), " has been trained for ", done,
         "; choose as many or more, or start over in another folder");
  }
  fitted_ = folder_.transforms();
  if (!std::filesystem::exists(folder_.file(kLast))) {
    notes_.push_back("the run in " + folder_.path().string() + " has no checkpoint yet: it starts over");
  }
}

void OpenRun::keep_epochs() {
  RunDescription kept = folder_.description();
  if (kept.train.epochs != description_.train.epochs) {
    kept.train.epochs = description_.train.epochs;
    drop_result(folder_);
    folder_.describe(kept);
  }
  write_config(folder_, kept);  // an earlier process may have been killed between writing model.json and config.toml
}

void OpenRun::receive_run() {
  if (group_.is_alone()) return;
  const std::string text = group_.text_of_first(group_.is_first() ? to_json(description_).dump() : "");
  constexpr const char* kWhere = "the run of rank 0";
  if (!group_.is_first())
    description_ = run_description_from_json(parse_json<nlohmann::ordered_json>(text, kWhere), kWhere);
  fitted_.tensors = of_first({fitted_.tensors, {}}, group_).tensors;
  fitted_.options = description_.transforms;
}

void OpenRun::check_same_data(const std::string& print) const {
  const std::vector<std::string> prints = group_.all_texts(print);
  for (size_t rank = 1; rank < prints.size(); ++rank) {
    if (prints[rank] != prints[0]) fail(description_.data.data, ": the data of rank ", rank, " is not that of rank 0");
  }
}

TrainResult OpenRun::train(const TrainHooks& hooks, at::Device device) {
  const training::Share share = piece_ ? training::Share(*piece_, group_)
                                       : training::Share(data_, group_, static_cast<uint64_t>(description_.train.seed));
  const TrainResult result = geniepath::train(share, description_, folder_, hooks, resumed_, device);
  if (group_.is_alone()) baselines_ = measure_baselines(description_, data_, result, hooks, device);
  if (!result.interrupted && group_.is_first()) {
    const nlohmann::ordered_json object = summary(result, device);
    write_atomically(folder_.file(kResult), [&](std::ostream& out) { out << sealed_json(object); });
  }
  return result;
}

nlohmann::ordered_json OpenRun::summary(const TrainResult& result, at::Device device) const {
  nlohmann::ordered_json object{{"model", description_.model.model},
                                {"data", description_.data.data},
                                {"seed", description_.train.seed},
                                {"metric", chosen_metric(description_.train, data())},
                                {"protocol", to_string(chosen_protocol(description_.train, data()))},
                                {"threshold", result.threshold},
                                {"epochs", result.epochs},
                                {"best_epoch", result.best_epoch},
                                {"valid", to_json(result.validated ? result.valid : Scores())},
                                {"test", to_json(result.test)},
                                {"seconds", result.seconds},
                                {"seconds_per_epoch", result.seconds_per_epoch},
                                {"peak_bytes", result.peak_bytes}};
  if (!result.validated) object[judging_name(false)] = to_json(result.valid);
  if (result.loss_rose_after > 0) object["loss_rose_after"] = result.loss_rose_after;
  if (!result.protocols.empty()) object["protocols"] = to_json(result.protocols);
  if (baselines_) object["baselines"] = to_json(*baselines_);
  object["hardware"] = hardware_text(device, group_.size());
  if (result.best_epoch > 0) object[kOfWeights] = written_checksum(folder_.file(kBest));  // whose result this is
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
  if (settings.on_note) {
    for (const std::string& note : run.notes()) settings.on_note(note);
    for (const std::string& note : run.description().schema.report.notes) settings.on_note(note);
  }
  return run.train(hooks, settings.device);
}

}  // namespace geniepath
