// `geniepath-bench gpu`: our attention and our whole training step on a GPU. bench/rivals/ runs the rivals beside it.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/arguments.h"
#include "bench/shapes.h"
#include "bench/subjects.h"
#include "geniepath/device.h"
#include "geniepath/ops.h"
#include "geniepath/train.h"
#include "ops/device.h"
#include "training/stepper.h"

namespace geniepath::bench {
namespace {

using Json = nlohmann::ordered_json;

// Median milliseconds per call; each round is long enough to measure and synchronised at its end.
double milliseconds_of(const std::function<void()>& action) {
  constexpr int kRounds = 9, kCalls = 10;
  for (int warm = 0; warm < 5; ++warm) action();
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    ops::synchronize_gpu();
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < kCalls; ++call) action();
    ops::synchronize_gpu();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count() /
                    kCalls);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Json attention(const std::string& name, const Graph& graph, Precision precision, c10::Device device) {
  constexpr int64_t kWidth = 256;
  const int64_t nodes = graph.num_nodes();
  const GraphTensors there = GraphTensors(graph).to(device);
  const auto options = at::TensorOptions(at::kFloat).device(device);
  const at::Tensor ab = (at::randn({nodes, 2 * kWidth}, options) * 0.5).requires_grad_();
  const at::Tensor h = at::randn({nodes, kWidth}, options).requires_grad_();
  const at::Tensor v = (at::randn({kWidth}, options) * 0.1).requires_grad_();
  const at::Tensor grad = at::randn({nodes, kWidth}, options);
  const auto forward = [&] { return ops::edge_attention(there, ab, h, v, precision); };
  const double only_forward = milliseconds_of([&] {
    const at::NoGradGuard no_grad;
    forward();
  });
  const double both = milliseconds_of([&] { torch::autograd::grad({forward()}, {ab, h, v}, {grad}); });
  return {{"name", name},
          {"precision", precision == Precision::kBf16 ? "bf16" : "f32"},
          {"milliseconds", both},
          {"forward_milliseconds", only_forward}};
}

Json training_step(const std::string& name, const Graph& graph, const std::string& model, const std::string& precision,
                   c10::Device device) {
  const Dataset data = ppi_like(graph);
  Recipe recipe;
  recipe.model.model = model;
  recipe.model.hidden = 256;
  recipe.model.precision = from_string<Precision>(precision, "precision");
  ops::take_peak_gpu_bytes();
  const int64_t before = ops::take_peak_gpu_bytes();  // currently allocated
  const training::Share share(data);
  training::Stepper stepper = training::stepper_for(share, recipe, device);
  int64_t epoch = 0;
  const double milliseconds = milliseconds_of([&] { stepper.queue_epoch(++epoch, 1e-3); });
  return {{"name", name},
          {"precision", precision},
          {"milliseconds", milliseconds},
          {"peak_bytes", ops::take_peak_gpu_bytes() - before}};
}

// A measured case: its name, and the measurement.
struct GpuSubject {
  std::string name;
  std::function<Json()> measure;
};

Json measure(c10::Device device, const std::string& only, ProgressLine& line) {
  const Graph ppi = ppi_shape(), one = ppi_shape(1), power_law = gpu_power_law_shape();
  std::vector<GpuSubject> subjects;
  for (const Precision precision : {Precision::kF32, Precision::kBf16}) {
    for (const auto& [name, graph] :
         {std::pair{"attention, shape PPI, K 256", &ppi}, {"attention, power law, K 256", &power_law}}) {
      subjects.push_back({name, [=] { return attention(name, *graph, precision, device); }});
    }
  }
  for (const std::string precision : {"f32", "tf32", "bf16"}) {
    for (const std::string model : {"geniepath", "geniepath-lazy"}) {
      for (const auto& [shape, graph] :
           {std::pair{", shape PPI, K 256, T 3", &ppi}, {", one graph of 2245 nodes", &one}}) {
        const std::string name = "step of " + model + shape;
        subjects.push_back(
            {name + ", " + precision, [=] { return training_step(name, *graph, model, precision, device); }});
      }
    }
  }
  Json results = Json::array();
  for (const GpuSubject& subject : subjects) {
    if (subject.name.find(only) == std::string::npos) continue;
    line.show(subject.name);
    results.push_back(subject.measure());
  }
  return results;
}

void run_bench_gpu(const std::string& device_name, const std::string& only, bool json) {
  const c10::Device device = device_named(device_name);
  at::manual_seed(1);
  Json results;
  {
    ProgressLine line;
    results = measure(device, only, line);
    line.show("measured on " + device.str(), true);
  }
  if (json) {
    std::cout << Json{{"bench", "gpu"}, {"results", results}}.dump() << std::endl;
    return;
  }
  std::vector<std::vector<std::string>> rows{{"what", "precision", "ms", "forward ms", "peak"}};
  for (const Json& r : results) {
    rows.push_back({r["name"], r["precision"], fixed(r["milliseconds"], 3),
                    r.contains("forward_milliseconds") ? fixed(r["forward_milliseconds"], 3) : "",
                    r.contains("peak_bytes") ? bytes_text(r["peak_bytes"]) : ""});
  }
  std::cout << table(rows);
}

}  // namespace

void add_gpu(CLI::App& app) {
  auto device = std::make_shared<std::string>("cuda");
  auto only = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  CLI::App* sub = app.add_subcommand("gpu", "attention and whole training steps on a GPU");
  sub->add_option("--device", *device, "which GPU: cuda, cuda:1, ...")->capture_default_str();
  sub->add_option("--only", *only, "measure only cases whose name contains this, for instance 'attention'");
  add_json(*sub, *json);
  sub->callback([=] { run_bench_gpu(*device, *only, *json); });
}

}  // namespace geniepath::bench
