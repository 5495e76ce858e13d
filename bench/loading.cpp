// geniepath-bench loading: a Graph from a list of random edges, and its transpose, beside a plain loop on one thread.
// geniepath-bench sampling: neighbourhoods of training nodes of account-device, drawn by one thread.
#include <ATen/Parallel.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "base/random.h"
#include "bench/arguments.h"
#include "bench/plain_graph.h"
#include "bench/plain_sampler.h"
#include "bench/subjects.h"
#include "bench/timing.h"
#include "data/account_device/account_device.h"
#include "training/neighbour_sampler.h"

namespace geniepath::bench {
namespace {

using Json = nlohmann::ordered_json;

struct LoadingArguments {
  bool json = false;
  int64_t threads = 0, edges = 100'000'000, nodes = 10'000'000;
};

std::vector<NodeId> random_ends(int64_t edges, int64_t nodes, uint64_t which) {
  const RandomStream random{which};
  std::vector<NodeId> ends(static_cast<size_t>(edges));
  for (size_t e = 0; e < ends.size(); ++e) ends[e] = static_cast<NodeId>(random.below(e, static_cast<uint64_t>(nodes)));
  return ends;
}

// Times to build a Graph and its transpose.
struct LoadingTimes {
  Times build, transpose;
};

LoadingTimes time_ours(NodeId nodes, const std::vector<NodeId>& source, const std::vector<NodeId>& target) {
  Graph graph;
  const Times build = times_of([&] { graph = Graph::from_edges(nodes, source, target, {.symmetrise = true}); });
  return {build, times_of([&] { graph.outgoing(); })};
}

LoadingTimes time_plain(NodeId nodes, const std::vector<NodeId>& source, const std::vector<NodeId>& target) {
  PlainRows rows;
  const Times build = times_of([&] { rows = plain_rows(nodes, source, target); });
  return {build, times_of([&] { plain_transpose(rows); })};
}

void run_loading(const LoadingArguments& arguments) {
  use_threads(arguments.threads);
  const auto nodes = static_cast<NodeId>(arguments.nodes);
  const std::vector<NodeId> source = random_ends(arguments.edges, nodes, 1),
                            target = random_ends(arguments.edges, nodes, 2);
  const LoadingTimes ours = time_ours(nodes, source, target), plain = time_plain(nodes, source, target);
  const auto json = [](const Times& times) { return Json{{"seconds", times.wall}, {"cpu_seconds", times.cpu}}; };
  if (arguments.json) {
    const Json result{{"bench", "loading"},
                      {"edges", arguments.edges},
                      {"nodes", nodes},
                      {"threads", at::get_num_threads()},
                      {"build", json(ours.build)},
                      {"transpose", json(ours.transpose)},
                      {"plain_build", json(plain.build)},
                      {"plain_transpose", json(plain.transpose)}};
    std::cout << result.dump() << std::endl;
    return;
  }
  const auto row = [&](const char* what, const Times& x, const Times& rival) {
    const double rate = static_cast<double>(arguments.edges) / x.wall / 1e6;
    return std::vector<std::string>{what,
                                    fixed(x.wall, 2),
                                    fixed(x.cpu, 2),
                                    fixed(rate, 1),
                                    fixed(rival.wall, 2),
                                    fixed(rival.cpu, 2),
                                    fixed(rival.wall / x.wall, 1) + "x"};
  };
  const std::string shape = grouped(arguments.edges) + " edges of " + grouped(nodes) + " nodes";
  std::cout << table({{shape, "s", "CPU s", "M edges/s", "plain s", "CPU s", "ratio"},
                      row("symmetric rows, duplicates merged", ours.build, plain.build),
                      row("transpose", ours.transpose, plain.transpose),
                      row("both", ours.build + ours.transpose, plain.build + plain.transpose)});
}

struct SamplingArguments {
  bool json = false;
  int64_t nodes = 981'748, batch_size = 1024;
  std::string fan_out = "10,10,10";
};

// Batches of the training nodes, in order, for about a second.
template <class Sample>
Json measure_sampling(const char* what, const Dataset& data, int64_t batch_size, const Sample& sample) {
  int64_t edges = 0, rows = 0, batches = 0;
  double seconds = 0;
  const auto steps = std::max<int64_t>(1, std::ssize(data.train) / batch_size);
  while (seconds < 1) {
    const auto first = static_cast<size_t>(batches % steps * batch_size);
    const size_t count = std::min(static_cast<size_t>(batch_size), data.train.size() - first);
    const auto seeds = std::span(data.train).subspan(first, count);
    seconds += seconds_of([&] {
      const auto [sampled_rows, sampled_edges] = sample(seeds, static_cast<uint64_t>(batches));
      rows += sampled_rows, edges += sampled_edges;
    });
    ++batches;
  }
  return {{"sampler", what}, {"rows_per_batch", rows / batches}, {"edges_per_batch", edges / batches},
          {"edges_per_second", static_cast<double>(edges) / seconds}};
}

void run_sampling(const SamplingArguments& arguments) {
  const Dataset data = make_account_device({.nodes = arguments.nodes});
  const std::vector<int64_t> fan_out = training::parse_fan_out(arguments.fan_out, "fan-out");
  const auto ours = [&](training::Draw draw) {
    return [&, sampler = std::make_shared<training::NeighbourSampler>(data.graph, fan_out, draw)](auto seeds,
                                                                                                  uint64_t key) {
      const training::Neighbourhood sampled = sampler->sample(seeds, key);
      return std::pair(std::ssize(sampled.nodes), sampled.incoming.neighbour.size());
    };
  };
  Json results = Json::array();
  results.push_back(measure_sampling("neighbours", data, arguments.batch_size, ours(training::Draw::kUniform)));
  results.push_back(measure_sampling("labor", data, arguments.batch_size, ours(training::Draw::kLabor)));
  results.push_back(measure_sampling("plain", data, arguments.batch_size, [&](auto seeds, uint64_t key) {
    return plain_sample(data.graph, fan_out, seeds, key);
  }));
  if (arguments.json) {
    std::cout << Json{{"bench", "sampling"},
                      {"nodes", arguments.nodes},
                      {"fan_out", arguments.fan_out},
                      {"results", results}}
                     .dump()
              << std::endl;
    return;
  }
  std::vector<std::vector<std::string>> rows{{"1 thread", "rows per batch", "edges per batch", "M edges/s"}};
  for (const Json& r : results) {
    rows.push_back({r["sampler"], grouped(r["rows_per_batch"]), grouped(r["edges_per_batch"]),
                    fixed(r["edges_per_second"].get<double>() / 1e6, 2)});
  }
  std::cout << table(rows);
}

}  // namespace

void add_loading(CLI::App& app) {
  auto arguments = std::make_shared<LoadingArguments>();
  CLI::App* sub = app.add_subcommand("loading", "a graph from a list of edges, and its transpose, beside a plain loop");
  add_json(*sub, arguments->json);
  add_threads(*sub, arguments->threads);
  sub->add_option("--edges", arguments->edges, "random edges")
      ->capture_default_str()
      ->check(CLI::Range(1, 2'000'000'000));
  sub->add_option("--nodes", arguments->nodes, "nodes")->capture_default_str()->check(CLI::Range(1, 2'000'000'000));
  sub->callback([=] { run_loading(*arguments); });

  auto sampling = std::make_shared<SamplingArguments>();
  sub = app.add_subcommand("sampling", "sampled neighbourhoods of account-device, beside a plain loop with hash maps");
  add_json(*sub, sampling->json);
  sub->add_option("--nodes", sampling->nodes, "nodes of account-device")
      ->capture_default_str()
      ->check(CLI::Range(1000, 100'000'000));
  sub->add_option("--batch-size", sampling->batch_size, "training nodes per batch")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  sub->add_option("--fan-out", sampling->fan_out, "neighbours per hop")->capture_default_str();
  sub->callback([=] { run_sampling(*sampling); });
}

}  // namespace geniepath::bench
