// Time to explain one node, from a loaded model.
//   explain_time run FOLDER [THREADS]        random test nodes of a run, 2 hops
//   explain_time make-hub FILE [NODES]       writes the account-device graph with a hub of degree 100,000 as a file
//   explain_time hub FILE [THREADS]          opens it, scores all nodes (K 16, T 7) and explains a node beside the hub
// The file is made by a separate process, so that the memory of `hub` is that of opening it.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "base/random.h"
#include "data/formats/graph_file.h"
#include "geniepath/explain.h"
#include "geniepath/run.h"

namespace {

using namespace geniepath;
using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// Current or peak memory of the process in MiB, as counted by the kernel.
long status_mib(const char* key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key, 0) == 0) return std::atol(line.c_str() + std::char_traits<char>::length(key)) / 1024;
  }
  return 0;
}

void show_memory(const char* when) {
  std::printf("%-28s %5ld MiB now, %5ld MiB at most\n", when, status_mib("VmRSS:"), status_mib("VmHWM:"));
}

// CPU time of the whole process, which is independent of other load.
double cpu_milliseconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e3 + static_cast<double>(used.tv_nsec) * 1e-6;
}

struct Times {
  std::vector<double> wall, cpu;
};

void show(const char* what, Times times) {
  const auto line = [&](const char* kind, std::vector<double>& of) {
    std::sort(of.begin(), of.end());
    const auto at = [&](double share) { return of[static_cast<size_t>(share * static_cast<double>(of.size() - 1))]; };
    std::printf("%-28s %s median %8.2f ms   p99 %8.2f ms   worst %8.2f ms   (%zu runs)\n", what, kind, at(0.5),
                at(0.99), of.back(), of.size());
  };
  line("wall", times.wall);
  line("CPU ", times.cpu);
}

Times time_nodes(const Explainer& explainer, const std::vector<NodeId>& nodes, int64_t hops) {
  Times times;
  ExplainOptions options;
  options.hops = hops;
  for (const NodeId node : nodes) {
    const auto start = Clock::now();
    const double cpu = cpu_milliseconds();
    explainer.explain(node, options);
    times.wall.push_back(milliseconds_since(start));
    times.cpu.push_back(cpu_milliseconds() - cpu);
  }
  return times;
}

void time_run(const char* folder_name) {
  const RunFolder folder(folder_name);
  const RunDescription run = folder.description();
  const Dataset data = apply_transforms(load_dataset(run.data, run.tables), folder.transforms());
  const auto start = Clock::now();
  const Explainer explainer(load_model(folder), data);
  std::printf("%-28s %8.0f ms\n", "all nodes scored in", milliseconds_since(start));
  std::vector<NodeId> nodes = data.test;
  shuffle(nodes, Random{1});
  nodes.resize(std::min<size_t>(nodes.size(), 500));
  show("paths of a node, 2 hops", time_nodes(explainer, nodes, 2));
  show_memory("whole process");
}

// Adds one device that 100,000 accounts use.
Dataset with_hub(int64_t nodes) {
  DataOptions options;
  options.data = "account-device", options.size = nodes;
  Dataset data = load_dataset(options);
  std::vector<NodeId> source, target;
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
    for (const NodeId j : data.graph.incoming().neighbours(i)) source.push_back(j), target.push_back(i);
  }
  const auto is_device = [&](NodeId i) { return data.node_type[static_cast<size_t>(i)] == 1; };
  NodeId hub = 0, joined = 0;
  while (!is_device(hub)) ++hub;
  for (NodeId i = hub; i < data.graph.num_nodes() && joined < 100000; ++i) {
    if (is_device(i)) continue;
    source.push_back(hub), target.push_back(i), source.push_back(i), target.push_back(hub);
    ++joined;
  }
  data.graph = Graph::from_edges(data.graph.num_nodes(), source, target);
  return data;
}

NodeId largest_hub(const Graph& graph) {
  NodeId hub = 0;
  for (NodeId i = 0; i < graph.num_nodes(); ++i) {
    if (graph.incoming().degree(i) > graph.incoming().degree(hub)) hub = i;
  }
  return hub;
}

void time_hub(const char* file) {
  DataOptions options;
  options.data = file;
  show_memory("program started");
  const auto opened = Clock::now();
  const Dataset data = load_dataset(options);
  std::printf("%-28s %8.0f ms\n", "graph file opened in", milliseconds_since(opened));
  show_memory("with the data");
  const NodeId hub = largest_hub(data.graph);
  const auto around = data.graph.incoming().neighbours(hub);
  const NodeId beside = around[around.size() / 2];
  std::printf("hub %d has %zu neighbours, node %d is beside it\n", hub, around.size(), beside);
  ModelConfig config;
  config.hidden = 16, config.depth = 7;
  const auto start = Clock::now();
  const Explainer explainer(make_model(config, data.features.num_features(), 1, 1), data);
  std::printf("%-28s %8.0f ms\n", "all nodes scored in", milliseconds_since(start));
  show_memory("with the model's activations");
  for (const int64_t hops : {2, 3, 7}) {
    show(("beside the hub, " + std::to_string(hops) + " hops").c_str(),
         time_nodes(explainer, std::vector<NodeId>(11, beside), hops));
  }
  show("the hub itself, 2 hops", time_nodes(explainer, std::vector<NodeId>(11, hub), 2));
  show_memory("whole process");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  const int64_t number = argc > 3 ? std::atoll(argv[3]) : 0;
  if (mode == "make-hub") return write_graph_file(argv[2], with_hub(number > 0 ? number : 981748)), 0;
  at::set_num_threads(number > 0 ? static_cast<int>(number) : 2);
  if (mode == "run") return time_run(argv[2]), 0;
  if (mode == "hub") return time_hub(argv[2]), 0;
  std::fprintf(stderr, "explain_time run FOLDER [THREADS] | make-hub FILE [NODES] | hub FILE [THREADS]\n");
  return 2;
}
