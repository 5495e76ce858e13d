// geniepath-bench walks: random walks and skip-gram, beside a plain word2vec loop on the same walks.
#include <ATen/Parallel.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/arguments.h"
#include "bench/plain_word2vec.h"
#include "bench/shapes.h"
#include "bench/subjects.h"
#include "bench/timing.h"
#include "walk/skip_gram.h"

namespace geniepath::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Walks {
  std::vector<NodeId> nodes;
  std::vector<int64_t> begin{0};
  double seconds = 0;
};

// One walk from each of the first nodes, drawn by one thread: enough to measure a rate.
Walks draw_walks(const Graph& graph, const walk::Walker& walker, int64_t length) {
  constexpr NodeId kMostWalks = 5000;
  Walks walks;
  std::vector<NodeId> walk(static_cast<size_t>(length));
  walks.seconds = seconds_of([&] {
    for (NodeId start = 0; start < std::min(graph.num_nodes(), kMostWalks); ++start) {
      const auto count = walker.walk(start, 1, walk);
      walks.nodes.insert(walks.nodes.end(), walk.begin(), walk.begin() + count);
      walks.begin.push_back(static_cast<int64_t>(walks.nodes.size()));
    }
  });
  return walks;
}

// Our time includes everything: walks, sorting pairs, training. The rival gets its walks for free.
Json measure_walk(const std::string& name, const Graph& graph, double p, double q, const RoundArguments& arguments) {
  const walk::Walker walker(graph, {p, q, 1});
  const walk::SkipGramOptions options;
  const Walks walks = draw_walks(graph, walker, options.length);
  const auto epoch = [&](int threads) {
    at::set_num_threads(threads);
    walk::SkipGramOptions with_threads = options;
    with_threads.threads = threads;
    walk::SkipGram skip_gram(graph, walker, with_threads);
    int64_t pairs = 0;
    const double seconds = seconds_of([&] { pairs = skip_gram.run_epoch(1, 10).pairs; });
    return static_cast<double>(pairs) / seconds;
  };
  const int threads = at::get_num_threads();
  double ours = 0, one_thread = 0, plain = 0;
  for (int r = 0; r < arguments.repeats; ++r) {  // alternating; the best of each
    int64_t pairs = 0;
    const double seconds =
        seconds_of([&] { pairs = plain_word2vec(graph, walks.nodes, walks.begin, PlainWord2Vec()); });
    plain = std::max(plain, static_cast<double>(pairs) / seconds);
    one_thread = std::max(one_thread, epoch(1));
    ours = std::max(ours, epoch(threads));
  }
  return {{"shape", name}, {"p", p}, {"q", q}, {"threads", threads}, {"dimensions", options.dimensions},
          {"walk_steps_per_second", static_cast<double>(walks.nodes.size()) / walks.seconds},
          {"pairs_per_second", ours}, {"one_thread_pairs_per_second", one_thread}, {"plain_pairs_per_second", plain},
          {"speedup", ours / plain}, {"one_thread_speedup", one_thread / plain}};
}

void run_walks(const RoundArguments& arguments) {
  use_threads(arguments.threads);
  Json results = Json::array();
  {
    ProgressLine line;
    const Graph blogs = power_law_graph(10312, 333983), large = power_law_graph(50000, 500000);
    line.show("10,312 nodes, p = q = 1");
    results.push_back(measure_walk("10,312 nodes, 333,983 edges", blogs, 1, 1, arguments));
    line.show("10,312 nodes, p = 0.25, q = 4");
    results.push_back(measure_walk("10,312 nodes, 333,983 edges", blogs, 0.25, 4, arguments));
    line.show("50,000 nodes, p = q = 1");
    results.push_back(measure_walk("50,000 nodes, 500,000 edges", large, 1, 1, arguments));
    line.show("measured walks", true);
  }
  if (arguments.json) {
    std::cout << Json{{"bench", "walks"}, {"results", results}}.dump() << std::endl;
    return;
  }
  std::vector<std::vector<std::string>> rows{
      {"shape", "p", "q", "walk steps/s, 1 thread", "plain pairs/s", "ours, 1 thread", "speedup",
       "ours, " + std::to_string(at::get_num_threads()) + " threads", "speedup"}};
  const auto count = [](const Json& number) { return grouped(static_cast<int64_t>(number.get<double>())); };
  for (const Json& r : results) {
    rows.push_back({r["shape"], fixed(r["p"], 2), fixed(r["q"], 2), count(r["walk_steps_per_second"]),
                    count(r["plain_pairs_per_second"]), count(r["one_thread_pairs_per_second"]),
                    fixed(r["one_thread_speedup"], 1) + "x", count(r["pairs_per_second"]),
                    fixed(r["speedup"], 1) + "x"});
  }
  std::cout << table(rows);
}

}  // namespace

void add_walks(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("walks", "random walks and skip-gram, beside a plain word2vec loop");
  const auto arguments = add_rounds(*sub, 3, "the best of each is shown");
  sub->callback([=] { run_walks(*arguments); });
}

}  // namespace geniepath::bench
