// geniepath train as several processes: as one that a launcher started, or as the parent of all (--processes).
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/train_command.h"
#include "base/options_json.h"
#include "distributed/processes.h"
#include "distributed/world.h"
#include "geniepath/error.h"
#include "geniepath/usable_cpus.h"
#include "ops/device.h"
#include "terminal/console.h"
#include "terminal/program.h"

namespace geniepath::cli {
namespace {

using Json = nlohmann::ordered_json;

Json data_options_of(const TrainCommand& command) {
  Json all = to_json(command.data.data);
  all.update(to_json(command.data.tables));
  all.update(to_json(command.data.transforms));
  return all;
}

// The options that must be the same in all processes; the data's location may differ between machines.
Json options_of(const TrainCommand& command) {
  Json all = data_options_of(command);
  for (const Options* options : std::initializer_list<const Options*>{&command.model, &command.train, &command.walk}) {
    all.update(to_json(*options));
  }
  all["resume"] = command.resume;
  all["force"] = command.force;
  all["partition"] = !command.partition.empty();
  all.erase("data-dir");
  return all;
}

void check_same_options(const TrainCommand& command, distributed::Group& group) {
  const std::vector<std::string> all = group.all_texts(options_of(command).dump());
  const Json first = Json::parse(all[0]);
  for (size_t rank = 1; rank < all.size(); ++rank) {
    const Json other = Json::parse(all[rank]);
    for (const auto& [key, value] : first.items()) {
      if (other.at(key) != value)
        fail("--", key, ": rank 0 was started with ", value.dump(), ", but rank ", rank, " with ",
             other.at(key).dump());
    }
  }
}

void check_command(const TrainCommand& command, const std::optional<distributed::Place>& place) {
  if (place && command.processes > 0 && command.processes != place->size) {
    fail("--processes ", command.processes, ": the launcher started ", place->size, "; leave the option out");
  }
  if (!command.partition.empty()) {
    const Json of_data = data_options_of(command);
    const IsGiven typed = typed_in(*command.data.app);
    for (const auto& [key, _] : of_data.items()) {
      if (typed(key)) fail("--", key, ": the data of --partition is already loaded and prepared");
    }
  }
  if (command.seeds > 1 || command.all_folds())
    fail("--seeds and --folds train one run after another, in a single process");
}

void train_as(TrainCommand& command, const distributed::Place& place) {
  const std::string name = "rank " + std::to_string(place.rank);
  speak_as(name + ": ");
  if (place.rank > 0) be_quiet();
  if (command.threads == 0) command.threads = std::max<int64_t>(1, usable_cpus() / place.local_size);
  if (command.device == "cuda") command.device += ":" + std::to_string(place.local_rank % std::max(1, ops::num_gpus()));
  const auto world = distributed::join(place, std::chrono::seconds(command.timeout));
  try {
    const auto group = world->make_group();
    check_same_options(command, *group);
    command.group = group.get();
    const TrainOutcome outcome = run_training(command);
    group->sum(0.0);  // nobody leaves before all are done
    if (group->is_first()) report(command, outcome);
  } catch (const distributed::LostProcess& error) {
    world->announce(error.what());
    throw;
  } catch (const std::exception& error) {
    world->announce(name + " stopped: " + error.what());
    throw;
  }
}

void start_all(const TrainCommand& command) {
  const StartedAs& self = started_as();
  const distributed::Ended ended =
      distributed::run_processes(command.processes, self.path, self.arguments, std::chrono::seconds(command.timeout));
  if (!ended.why.empty()) say_error("geniepath: " + ended.why);
  if (ended.code != 0) throw Exit{ended.code};
}

}  // namespace

bool train_together(TrainCommand& command) {
  const std::optional<distributed::Place> place = distributed::place_in_environment();
  if (!place && command.processes <= 1) {
    if (!command.partition.empty())
      fail("--partition ", command.partition, ": for several processes, one per piece (--processes)");
    return false;
  }
  check_command(command, place);
  if (place) {
    train_as(command, *place);
  } else {
    start_all(command);
  }
  return true;
}

}  // namespace geniepath::cli
