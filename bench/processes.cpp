// `geniepath-bench processes`: exact training steps by several processes, beside one process with one thread and with
// as many threads. Configurations take turns, each in processes of its own.
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "arguments/train_command.h"
#include "base/file.h"
#include "bench/subjects.h"
#include "bench/timing.h"
#include "distributed/processes.h"
#include "distributed/world.h"
#include "geniepath/error.h"
#include "terminal/program.h"
#include "training/stepper.h"

namespace geniepath::bench {
namespace {

using Json = nlohmann::ordered_json;

// How a parent tells a measuring process what to do.
constexpr const char *kResult = "GENIEPATH_BENCH_RESULT", *kThreads = "GENIEPATH_BENCH_THREADS";
constexpr std::chrono::seconds kTimeout{600};
constexpr int kWarm = 2;

struct ProcessesCommand : cli::RecipeArguments {
  int64_t count = 2, rounds = 3, steps = 5;
};

double main_thread_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Seconds per step of every process, [processes, 3]: by the clock, running in the training thread, running in all
// threads.
at::Tensor measure(const ProcessesCommand& command, distributed::Group& group) {
  use_threads(std::atoll(std::getenv(kThreads)));
  const PreparedRun made = prepare_run(command.request());
  const training::Share share(made.data, group, 1);
  training::Stepper stepper = training::stepper_for(share, made.description, at::kCPU);
  for (int64_t epoch = 1; epoch <= kWarm; ++epoch) stepper.queue_epoch(epoch, 1e-3);
  group.sum(0.0);
  const double before = main_thread_seconds();
  const Times times = times_of([&] {
    for (int64_t epoch = 1; epoch <= command.steps; ++epoch) stepper.queue_epoch(kWarm + epoch, 1e-3);
  });
  const std::vector<double> own{times.wall, main_thread_seconds() - before, times.cpu};
  return group.all_rows(at::tensor(own, at::kDouble).unsqueeze(0) / static_cast<double>(command.steps));
}

void measure_and_write(const ProcessesCommand& command) {
  const auto place = distributed::place_in_environment();
  const auto world = place ? distributed::join(*place, kTimeout) : nullptr;
  const auto group = world ? world->make_group() : std::make_unique<distributed::Group>();
  const at::Tensor seconds = measure(command, *group);
  if (group->is_first()) {
    const at::Tensor most = std::get<0>(seconds.max(0)), mean = seconds.mean(0);
    const Json result{{"wall", most[0].item<double>()}, {"training", mean[1].item<double>()},
                      {"slowest", most[1].item<double>()}, {"all", mean[2].item<double>()}};
    std::ofstream(std::getenv(kResult)) << result;
  }
  group->sum(0.0);
}

struct Configuration {
  int64_t processes, threads;
  std::vector<Json> results = {};
  double median(const char* key) const {
    std::vector<double> values;
    for (const Json& result : results) values.push_back(result.at(key));
    std::ranges::sort(values);
    return values[values.size() / 2];
  }
};

Json run_once(const Configuration& configuration) {
  const auto path = std::filesystem::temp_directory_path() / ("geniepath_bench_" + std::to_string(::getpid()));
  ::setenv(kResult, path.c_str(), 1);
  ::setenv(kThreads, std::to_string(configuration.threads).c_str(), 1);
  const cli::StartedAs& self = cli::started_as();
  const distributed::Ended ended =
      distributed::run_processes(configuration.processes, self.path, self.arguments, kTimeout);
  if (ended.code != 0) fail("a measuring process failed ", ended.why);
  const Json result = Json::parse(read_text(path));
  std::filesystem::remove(path);
  return result;
}

void compare(const ProcessesCommand& command) {
  std::vector<Configuration> all{{1, 1}, {command.count, 1}, {1, command.count}};
  {
    ProgressLine line;
    for (int64_t round = 0; round < command.rounds; ++round) {
      for (Configuration& one : all) {
        line.show("round " + std::to_string(round + 1) + ": " + std::to_string(one.processes) + " x " +
                  std::to_string(one.threads));
        one.results.push_back(run_once(one));
      }
    }
  }
  std::vector<std::vector<std::string>> rows{
      {"processes", "threads", "s/step", "ratio", "computing", "its ratio", "other threads", "waiting"}};
  for (const Configuration& one : all) {
    const double wall = one.median("wall"), training = one.median("training"), every = one.median("all");
    rows.push_back({std::to_string(one.processes), std::to_string(one.threads), fixed(wall, 4),
                    fixed(all[0].median("wall") / wall, 2), fixed(training, 4),
                    fixed(all[0].median("slowest") / one.median("slowest"), 2), fixed(every - training, 4),
                    fixed(std::max(0.0, wall - training), 4)});
  }
  std::cout << table(rows);
}

}  // namespace

void add_processes(CLI::App& app) {
  auto command = std::make_shared<ProcessesCommand>();
  CLI::App* sub =
      app.add_subcommand("processes", "training steps by several processes, beside one process and its threads");
  command->bind(*sub);
  sub->add_option("--count", command->count, "processes, and threads of one")
      ->check(CLI::Range(2, 1024))
      ->capture_default_str();
  sub->add_option("--rounds", command->rounds, "turns of every configuration")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  sub->add_option("--turn", command->steps, "steps measured per turn")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  sub->callback([command] {
    command->settle();
    if (std::getenv(kResult) != nullptr) return measure_and_write(*command);
    compare(*command);
  });
}

}  // namespace geniepath::bench
