// `geniepath-bench scaling`: the time of a training step against nodes, neighbours, width and depth, one varied at a
// time.
#include <ATen/Parallel.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "bench/shapes.h"
#include "bench/subjects.h"
#include "bench/timing.h"
#include "report/plot.h"
#include "training/stepper.h"

namespace geniepath::bench {
namespace {

using Json = nlohmann::ordered_json;

struct ScalingArguments {
  std::string model = "geniepath-lazy", out = "scaling";
  int64_t threads = 0, rounds = 5;
};

// A uniform graph and a model of it.
struct Point {
  int64_t nodes = 40000, degree = 10, hidden = 32, depth = 3;
};

// A quantity to vary, and its values; the middle one is the point's own.
struct Axis {
  const char *name, *label;
  int64_t Point::*field;
  std::vector<int64_t> values;
};

const std::vector<Axis>& axes() {
  static const std::vector<Axis> kAxes{{"nodes", "nodes N", &Point::nodes, {10000, 20000, 40000, 80000, 160000}},
                                       {"degree", "neighbours per node E / N", &Point::degree, {3, 5, 10, 20, 40}},
                                       {"hidden", "hidden units K", &Point::hidden, {8, 16, 32, 64, 128}},
                                       {"depth", "hops T", &Point::depth, {1, 2, 3, 6, 12}}};
  return kAxes;
}

// The least of some steps, which other programs disturb least.
double seconds_per_step(const Point& point, const ScalingArguments& arguments) {
  const Dataset data = ppi_like(uniform_graph(static_cast<NodeId>(point.nodes), point.degree));
  Recipe recipe;
  recipe.model.model = arguments.model;
  recipe.model.hidden = point.hidden;
  recipe.model.depth = point.depth;
  const training::Share share(data);
  training::Stepper stepper = training::stepper_for(share, recipe, at::kCPU);
  stepper.queue_epoch(1, 1e-3);
  double least = std::numeric_limits<double>::infinity();
  for (int64_t round = 0; round < arguments.rounds; ++round) {
    least = std::min(least, seconds_of([&] { stepper.queue_epoch(2 + round, 1e-3); }));
  }
  return least;
}

report::LineChart chart_of(const Axis& axis, const std::vector<double>& seconds) {
  report::LineChart chart{"", axis.label, "milliseconds per step", {}, {}, {}, true, false};
  report::Series measured{"measured", {}}, line{"in proportion", {}, true};
  for (size_t n = 0; n < seconds.size(); ++n) {
    const auto value = static_cast<double>(axis.values[n]);
    measured.points.emplace_back(value, 1e3 * seconds[n]);
    line.points.emplace_back(value, 1e3 * seconds.back() * value / static_cast<double>(axis.values.back()));
  }
  chart.series = {measured, line};
  return chart;
}

void run_scaling(const ScalingArguments& arguments) {
  use_threads(arguments.threads);
  std::vector<report::Chart> panels;
  std::vector<std::vector<std::string>> rows{{"", "value", "ms/step"}};
  Json result{
      {"bench", "scaling"}, {"model", arguments.model}, {"threads", at::get_num_threads()}, {"axes", Json::array()}};
  {
    ProgressLine line;
    for (const Axis& axis : axes()) {
      std::vector<double> seconds;
      for (const int64_t value : axis.values) {
        Point point;
        point.*axis.field = value;
        line.show(std::string(axis.name) + " " + grouped(value));
        seconds.push_back(seconds_per_step(point, arguments));
        rows.push_back({axis.label, grouped(value), fixed(1e3 * seconds.back(), 1)});
      }
      panels.emplace_back(chart_of(axis, seconds));
      result["axes"].push_back({{"name", axis.name}, {"values", axis.values}, {"seconds", seconds}});
    }
  }
  const std::filesystem::path folder = arguments.out;
  std::filesystem::create_directories(folder);
  write_atomically(folder / "scaling.json", [&](std::ostream& out) { out << result.dump(2) << "\n"; });
  write_atomically(folder / "scaling.svg", [&](std::ostream& out) { out << report::svg(panels); });
  std::cout << table(rows) << "\n" << (folder / "scaling.svg").string() << std::endl;
}

}  // namespace

void add_scaling(CLI::App& app) {
  auto arguments = std::make_shared<ScalingArguments>();
  CLI::App* sub =
      app.add_subcommand("scaling", "a training step against nodes, neighbours, width and depth, measured and drawn");
  sub->add_option("--model", arguments->model, "the model")->capture_default_str();
  sub->add_option("--out", arguments->out, "folder for scaling.json and scaling.svg")->capture_default_str();
  sub->add_option("--threads", arguments->threads, "threads; 0: one per core")->capture_default_str();
  sub->add_option("--rounds", arguments->rounds, "steps measured per point")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  sub->callback([arguments] { run_scaling(*arguments); });
}

}  // namespace geniepath::bench
