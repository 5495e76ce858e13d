#include <ATen/Parallel.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <thread>

#include "arguments/class_names.h"
#include "arguments/run_arguments.h"
#include "base/noun.h"
#include "commands/commands.h"
#include "geniepath/error.h"
#include "geniepath/predictor.h"
#include "geniepath/tensor_memory.h"
#include "geniepath/version.h"
#include "run/run_threshold.h"
#include "serve/page.h"
#include "serve/server.h"
#include "serve/token.h"
#include "terminal/console.h"
#include "terminal/help.h"
#include "terminal/option_binder.h"
#include "terminal/text.h"

namespace geniepath::cli {
namespace {

struct ServeCommand {
  RunArguments run;
  ClassNames classes;
  std::string other;
  serve::ServeOptions server;
};

// Stops the server on a signal, and reports failed scoring on stderr.
class Watch {
 public:
  Watch(const serve::Service& service, serve::Server& server) {
    watch_for_interrupt();
    thread_ = std::jthread([&](const std::stop_token& done) {
      std::string failure;
      while (!interrupted() && !done.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        if (!failure.empty() || (failure = service.failure()).empty()) continue;
        say_error("geniepath: " + failure);
      }
      server.stop();
    });
  }

 private:
  std::jthread thread_;
};

std::string address_text(const std::string& host, int port) {
  const bool six = host.find(':') != std::string::npos;
  return "http://" + (six ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/";
}

// Without enough threads, OpenMP's runtime ends the program and LibTorch's waits forever. So this starts as many
// threads as will be needed before either is used.
void check_threads(int64_t threads) {
  constexpr int64_t kEach = 4;    // workers for scores, workers for paths, OpenMP's team, LibTorch's pool
  constexpr int64_t kOthers = 3;  // the scoring's, the watch's, and one spare
  const serve::Workers as_many(kEach * threads + kOthers);
}

// A run on its own or other data. Where the run has no threshold, it is chosen before another split is dropped.
std::unique_ptr<serve::Service> service(const RunFolder& folder, LoadedData loaded,
                                        const std::vector<std::string>& names,
                                        std::unique_ptr<serve::Service> other = nullptr) {
  std::optional<double> threshold = run::run_threshold(folder);
  if (!threshold) threshold = Predictor(folder).threshold(loaded.data);
  loaded.drop_other_split(folder.description());
  report::Presentation presentation{.raw = std::move(loaded.raw), .class_names = names, .threshold = threshold};
  return std::make_unique<serve::Service>(folder, std::move(loaded.data), version(), std::move(presentation),
                                          std::move(other));
}

// The run to compare with, on its own data.
std::unique_ptr<serve::Service> other_service(const RunFolder& folder, const std::vector<std::string>& names) {
  const RunDescription run = folder.description();
  if (!names.empty() && std::ssize(names) != run.classes) {
    fail("--other ", folder.path().string(), ": ", counted(run.classes, "class", "classes"), ", but --class-names has ",
         names.size());
  }
  const Predictor predictor(folder);
  Dataset raw = predictor.load_raw_data();
  LoadedData loaded{{}, raw.features, run::data_state(run, raw)};
  loaded.data = predictor.prepare(std::move(raw));
  say_if_changed(loaded.state, run);
  return service(folder, std::move(loaded), names);
}

void run_serve(ServeCommand& command) {
  command.run.require_cpu("serve");
  command.server.token = serve::token_of(command.server, std::getenv("GENIEPATH_TOKEN"));
  const int64_t services = command.other.empty() ? 1 : 2;
  check_threads(services * (command.run.threads > 0 ? command.run.threads : at::get_num_threads()));
  use_threads(command.run.threads);
  share_heaps(serve::Service::num_workers() + 1);
  set_large_pages(false);  // requests differ in size, so kept blocks would not be reused
  const RunFolder folder(command.run.run);
  const std::vector<std::string> names = command.classes.names(folder.description());
  std::unique_ptr<serve::Service> other =
      command.other.empty() ? nullptr : other_service(RunFolder(command.other), names);
  LoadedData loaded = command.run.load_with_raw(folder, folder.description());
  std::cerr << "data   " << terminal(loaded.data.name) << ": " << counted(loaded.data.graph.num_nodes(), "node")
            << ", scored while the page opens\n";
  const auto served = service(folder, std::move(loaded), names, std::move(other));
  serve::Server server(*served, command.server);
  const Watch watch(*served, server);
  if (serve::page_files().empty())
    std::cerr << "the page is not included (built without Node.js); the API is available\n";
  std::cout << "listening on " << address_text(command.server.host, server.port()) << std::endl;
  server.run();
  std::cerr << "stopped\n";
}

}  // namespace

void add_serve(CLI::App& app) {
  auto command = std::make_shared<ServeCommand>();
  CLI::App* sub = app.add_subcommand("serve", "explore a trained run in the browser, or query it over HTTP");
  command->run.bind(*sub);
  command->classes.bind(*sub);
  sub->add_option("--other", command->other, "folder of another run, to compare its answer on the same node");
  bind_options(*sub, command->server, "Server");
  add_help(*sub, with_data_options({"port", "host", "token", "token-file"}),
           {"geniepath serve --run runs/first",
            "geniepath serve --run runs/first --other runs/second --port 8080"});
  sub->callback([=] { run_serve(*command); });
}

}  // namespace geniepath::cli
