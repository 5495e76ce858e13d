// geniepath-bench products: the dense products of a layer and its gradients in f32 and bf16, beside LibTorch's in f32.
#include <ATen/ATen.h>

#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/arguments.h"
#include "bench/subjects.h"
#include "bench/timing.h"
#include "ops/matmul.h"

namespace geniepath::bench {
namespace {

using Json = nlohmann::ordered_json;
using ops::Transpose;

// [rows, depth] times [depth, columns], each possibly stored transposed.
struct ProductShape {
  const char* what;
  int64_t rows, depth, columns;
  Transpose turn_a, turn_b;
};

constexpr ProductShape kShapes[] = {
    {"9,000 x 256 x 256", 9000, 256, 256, Transpose::kNo, Transpose::kNo},
    {"gradient of its input", 9000, 256, 256, Transpose::kNo, Transpose::kYes},
    {"gradient of its weights", 256, 9000, 256, Transpose::kYes, Transpose::kNo},
    {"45,000 x 256 x 1,024", 45000, 256, 1024, Transpose::kNo, Transpose::kNo},
    {"gradient of its input", 45000, 1024, 256, Transpose::kNo, Transpose::kYes},
    {"gradient of its weights", 256, 45000, 1024, Transpose::kYes, Transpose::kNo},
};

at::Tensor draw(int64_t rows, int64_t columns, Transpose turn) {
  return turn == Transpose::kYes ? at::randn({columns, rows}) : at::randn({rows, columns});
}

at::Tensor turned(const at::Tensor& x, Transpose turn) { return turn == Transpose::kYes ? x.t() : x; }

// GFLOP/s, best of the rounds.
Json measure_product(const ProductShape& shape, int repeats) {
  const at::Tensor a = draw(shape.rows, shape.depth, shape.turn_a), b = draw(shape.depth, shape.columns, shape.turn_b);
  at::Tensor c = at::empty({shape.rows, shape.columns});
  const at::Tensor a_bf16 = ops::as_operand(a, Precision::kBf16), b_bf16 = ops::as_operand(b, Precision::kBf16);
  double f32 = 1e30, bf16 = 1e30, plain = 1e30;
  for (int r = 0; r < repeats; ++r) {  // alternating, so that a slow moment of the machine affects all
    f32 = std::min(f32, seconds_of([&] { ops::matmul_into(c, a, shape.turn_a, b, shape.turn_b, Precision::kF32); }));
    bf16 = std::min(bf16, seconds_of([&] {
                      ops::matmul_into(c, a_bf16, shape.turn_a, b_bf16, shape.turn_b, Precision::kBf16);
                    }));
    plain = std::min(plain, seconds_of([&] { at::mm_out(c, turned(a, shape.turn_a), turned(b, shape.turn_b)); }));
  }
  const double operations = 2e-9 * static_cast<double>(shape.rows * shape.depth * shape.columns);
  return {{"shape", shape.what},
          {"f32_gflops", operations / f32},
          {"bf16_gflops", operations / bf16},
          {"plain_gflops", operations / plain},
          {"bf16_speedup", f32 / bf16}};
}

void run_products(const RoundArguments& arguments) {
  use_threads(arguments.threads);
  at::manual_seed(1);
  Json results = Json::array();
  for (const ProductShape& shape : kShapes) results.push_back(measure_product(shape, arguments.repeats));
  if (arguments.json) {
    std::cout << Json{{"bench", "products"}, {"results", results}}.dump() << std::endl;
    return;
  }
  std::vector<std::vector<std::string>> rows{{"shape", "plain f32 GFLOP/s", "ours f32", "ours bf16", "bf16 over f32"}};
  for (const Json& r : results) {
    rows.push_back({r["shape"], fixed(r["plain_gflops"], 0), fixed(r["f32_gflops"], 0), fixed(r["bf16_gflops"], 0),
                    fixed(r["bf16_speedup"], 1) + "x"});
  }
  std::cout << table(rows);
}

}  // namespace

void add_products(CLI::App& app) {
  CLI::App* sub = app.add_subcommand("products", "dense products in f32 and bf16, beside LibTorch's in f32");
  const auto arguments = add_rounds(*sub, 20, "the best of each is shown");
  sub->callback([=] { run_products(*arguments); });
}

}  // namespace geniepath::bench
