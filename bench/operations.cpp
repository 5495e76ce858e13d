#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/arguments.h"
#include "bench/plain.h"
#include "bench/shapes.h"
#include "bench/subjects.h"
#include "bench/timing.h"
#include "geniepath/ops.h"
#include "geniepath/tensor_memory.h"

namespace geniepath::bench {
namespace {

using Tensors = std::vector<at::Tensor>;

// A measured case: a function of leaf tensors, whose outputs are then differentiated with fixed gradients.
struct Case {
  std::string shape;
  std::function<Tensors(const Tensors&)> ours, plain;
  Tensors leaves, grad_outputs;
  Precision precision;
};

// Outputs, and gradients of the leaves.
Tensors forward_backward(const std::function<Tensors(const Tensors&)>& function, const Tensors& leaves,
                         const Tensors& grad_outputs) {
  for (const at::Tensor& leaf : leaves) leaf.mutable_grad() = at::Tensor();
  Tensors outputs = function(leaves);
  torch::autograd::backward(outputs, grad_outputs);
  for (at::Tensor& output : outputs) output = output.detach();
  for (const at::Tensor& leaf : leaves) outputs.push_back(leaf.grad());
  return outputs;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Median with this many threads and nothing else in between; the first runs, which wake the threads, do not count.
double warm_median(const std::function<void()>& action, int threads, int repeats) {
  at::set_num_threads(threads);
  for (int r = 0; r < 3; ++r) action();
  std::vector<double> times;
  for (int r = 0; r < 3 * repeats; ++r) times.push_back(seconds_of(action));
  return median(times);
}

int64_t peak_of(const std::function<void()>& action) {
  const int64_t before = live_tensor_bytes();
  reset_peak_tensor_bytes();
  action();
  return peak_tensor_bytes() - before;
}

// Largest difference from f64, relative to the largest value, over outputs and gradients.
double error_against(const Tensors& exact, const Tensors& found) {
  double worst = 0;
  for (size_t t = 0; t < exact.size(); ++t) {
    const double scale = std::max(1e-30, exact[t].abs().max().item<double>());
    worst = std::max(worst, (found[t].to(at::kDouble) - exact[t]).abs().max().item<double>() / scale);
  }
  return worst;
}

Tensors cast(const Tensors& tensors, at::ScalarType type) {
  Tensors result;
  for (const at::Tensor& t : tensors) result.push_back(t.detach().to(type).clone().requires_grad_(t.requires_grad()));
  return result;
}

nlohmann::ordered_json measure(const Case& subject, int repeats, ProgressLine& line) {
  const std::string name = subject.shape + (subject.precision == Precision::kBf16 ? ", bf16" : ", f32");
  const auto ours = [&] { forward_backward(subject.ours, subject.leaves, subject.grad_outputs); };
  const auto plain = [&] { forward_backward(subject.plain, subject.leaves, subject.grad_outputs); };
  line.show(name + ": warming up");
  const Tensors found = forward_backward(subject.ours, subject.leaves, subject.grad_outputs);
  const Tensors rival = forward_backward(subject.plain, subject.leaves, subject.grad_outputs);
  line.show(name + ": f64");
  const Tensors exact =
      forward_backward(subject.plain, cast(subject.leaves, at::kDouble), cast(subject.grad_outputs, at::kDouble));
  std::vector<double> our_times, plain_times, plain_large_times;
  for (int r = 0; r < repeats; ++r) {  // alternating, so that a slow moment of the machine affects both
    line.show(name + ": round " + std::to_string(r + 1) + "/" + std::to_string(repeats));
    plain_large_times.push_back(seconds_of(plain));
    set_large_pages(false);  // plain LibTorch with its default allocator
    plain_times.push_back(seconds_of(plain));
    set_large_pages(true);
    for (int inner = 0; inner < 3; ++inner) our_times.push_back(seconds_of(ours));
  }
  const int threads = at::get_num_threads();
  const double one_thread = warm_median(ours, 1, repeats), all_threads = warm_median(ours, threads, repeats);
  nlohmann::ordered_json result = {{"shape", subject.shape},
                                   {"precision", subject.precision == Precision::kBf16 ? "bf16" : "f32"},
                                   {"ours_seconds", median(our_times)},
                                   {"plain_seconds", median(plain_times)},
                                   {"speedup", median(plain_times) / median(our_times)},
                                   {"ours_peak_bytes", peak_of(ours)},
                                   {"plain_peak_bytes", peak_of(plain)},
                                   {"max_error", error_against(exact, found)},
                                   {"plain_max_error", error_against(exact, rival)},
                                   {"threads", threads},
                                   {"one_thread_seconds", one_thread},
                                   {"thread_speedup", one_thread / all_threads},
                                   {"plain_large_pages_seconds", median(plain_large_times)}};
  return result;
}

at::Tensor draw(at::IntArrayRef shape, double scale) { return (at::randn(shape) * scale).requires_grad_(); }

Case attention_case(const Shape& shape, Precision precision) {
  const auto graph = std::make_shared<GraphTensors>(shape.graph);
  const auto plain_graph = std::make_shared<PlainGraph>(shape.graph);
  const int64_t nodes = shape.graph.num_nodes(), width = shape.width;
  Case subject{shape.name, {}, {}, {}, {}, precision};
  subject.leaves = {draw({nodes, 2 * width}, 1), draw({nodes, width}, 1), draw({width}, 0.1)};
  subject.grad_outputs = {at::randn({nodes, width})};
  subject.ours = [=](const Tensors& x) -> Tensors {
    return {ops::edge_attention(*graph, x[0], x[1], x[2], precision)};
  };
  subject.plain = [=](const Tensors& x) -> Tensors {
    return {plain_attention(*plain_graph, x[0].narrow(1, 0, width), x[0].narrow(1, width, width), x[1], x[2])};
  };
  return subject;
}

Case layer_case(const Shape& shape, Precision precision) {
  const auto graph = std::make_shared<GraphTensors>(shape.graph);
  const auto plain_graph = std::make_shared<PlainGraph>(shape.graph);
  const int64_t nodes = shape.graph.num_nodes(), width = shape.width;
  Case subject{shape.name, {}, {}, {}, {}, precision};
  subject.leaves = LayerWeights::random(width, at::kFloat).all();
  subject.leaves.push_back(draw({nodes, width}, 1));    // h
  subject.leaves.push_back(draw({nodes, width}, 0.5));  // memory
  subject.grad_outputs = {at::randn({nodes, width}), at::randn({nodes, width})};
  const auto weights = [](const Tensors& x) { return LayerWeights{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]}; };
  subject.ours = [=](const Tensors& x) -> Tensors {
    const LayerWeights w = weights(x);
    const at::Tensor ab = ops::linear(x[8], at::cat({w.w_s, w.w_d}, 1), {}, Activation::kNone, precision);
    const at::Tensor agg = ops::edge_attention(*graph, ab, x[8], w.v, precision);
    const at::Tensor h_tmp = ops::linear(agg, w.w, {}, Activation::kTanh, precision);
    const auto [h, memory] =
        ops::gated_memory(h_tmp, {}, at::cat({w.w_i, w.w_f, w.w_o, w.w_c}, 1), {}, x[9], precision);
    return {h, memory};
  };
  subject.plain = [=](const Tensors& x) -> Tensors {
    const auto [h, memory] = plain_layer(*plain_graph, weights(x), x[8], x[9]);
    return {h, memory};
  };
  return subject;
}

// The first layer of Pubmed's shape: X W for sparse X, beside the dense product.
Case features_case(const Shape& shape, Precision precision) {
  const auto matrix = std::make_shared<SparseMatrix>(random_features(shape.graph.num_nodes(), 500, 0.1));
  const auto sparse = std::make_shared<SparseTensors>(*matrix);
  const at::Tensor dense = matrix->to_dense();
  Case subject{shape.name, {}, {}, {draw({500, shape.width}, 0.1)}, {}, precision};
  subject.grad_outputs = {at::randn({shape.graph.num_nodes(), shape.width})};
  subject.ours = [=](const Tensors& x) -> Tensors { return {ops::sparse_linear(*sparse, x[0])}; };
  subject.plain = [=](const Tensors& x) -> Tensors {
    return {ops::linear(x[0].scalar_type() == at::kDouble ? dense.to(at::kDouble) : dense, x[0])};
  };
  return subject;
}

// A~ H with GCN's normalisation, beside LibTorch's own product of a sparse (CSR) and a dense matrix.
Case spmm_case(const Shape& shape, Precision precision) {
  const auto graph = std::make_shared<GraphTensors>(shape.graph);
  const int64_t nodes = shape.graph.num_nodes();
  const at::Tensor scale = graph->in_offset.diff().to(at::kFloat).rsqrt();
  const auto plain = std::make_shared<PlainSparse>(shape.graph);
  Case subject{shape.name, {}, {}, {draw({nodes, shape.width}, 1)}, {at::randn({nodes, shape.width})}, precision};
  subject.ours = [=](const Tensors& x) -> Tensors { return {ops::neighbour_sum(*graph, x[0], scale, scale)}; };
  subject.plain = [=](const Tensors& x) -> Tensors { return {plain_spmm(*plain, x[0])}; };
  return subject;
}

void print_results(const nlohmann::ordered_json& results) {
  std::vector<std::vector<std::string>> rows{{"shape", "precision", "ours ms", "plain ms", "speedup", "ours peak",
                                              "plain peak", "error", "plain error", "1 thread ms",
                                              "scaling", "plain ms, our allocator"}};
  const auto ms = [](double seconds) { return fixed(seconds * 1e3, 1); };
  const auto small = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1e", x);
    return std::string(text);
  };
  for (const auto& r : results) {
    rows.push_back({r["shape"], r["precision"], ms(r["ours_seconds"]), ms(r["plain_seconds"]),
                    fixed(r["speedup"], 1) + "x", bytes_text(r["ours_peak_bytes"]), bytes_text(r["plain_peak_bytes"]),
                    small(r["max_error"]), small(r["plain_max_error"]), ms(r["one_thread_seconds"]),
                    fixed(r["thread_speedup"], 2) + "x", ms(r["plain_large_pages_seconds"])});
  }
  std::cout << table(rows);
}

struct OperationSubject {
  const char* name;
  const char* help;
  std::vector<Shape> (*shapes)();
  std::vector<Precision> precisions;
  Case (*make)(const Shape&, Precision);
};

void run_bench(const RoundArguments& arguments, const OperationSubject& subject) {
  use_threads(arguments.threads);
  at::manual_seed(1);
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  {
    ProgressLine line;
    for (const Shape& shape : subject.shapes()) {
      for (const Precision precision : subject.precisions) {
        results.push_back(measure(subject.make(shape, precision), arguments.repeats, line));
        results.back()["largest_degree"] = largest_degree(shape.graph);
      }
    }
    line.show(std::string("measured ") + subject.name, true);
  }
  if (arguments.json) {
    std::cout << nlohmann::ordered_json{{"bench", subject.name}, {"results", results}}.dump() << std::endl;
  } else {
    print_results(results);
  }
}

}  // namespace

void add_operations(CLI::App& app) {
  const std::vector<Precision> both{Precision::kF32, Precision::kBf16};
  const std::vector<OperationSubject> subjects{
      {"attention", "edge attention, forward and backward", standard_shapes, both, attention_case},
      {"layer", "the whole adaptive path layer, forward and backward", standard_shapes, both, layer_case},
      {"spmm", "a sum over neighbours, normalised as in GCN, beside LibTorch's sparse product",
       standard_shapes, {Precision::kF32}, spmm_case},
      {"features", "the first layer on sparse features, beside the dense product", feature_shapes,
       {Precision::kF32}, features_case}};
  for (const OperationSubject& subject : subjects) {
    CLI::App* what = app.add_subcommand(subject.name, subject.help);
    const auto arguments = add_rounds(*what, 5, "medians are shown");
    what->callback([=] { run_bench(*arguments, subject); });
  }
}

}  // namespace geniepath::bench
