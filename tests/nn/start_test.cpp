// The start keeps the signal through any depth, and attention begins uneven.
#include "nn/start.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/random.h"
#include "geniepath/data.h"
#include "geniepath/path_model.h"
#include "graphs_that_hurt.h"
#include "real_data.h"
#include "training/batch.h"

namespace geniepath {
namespace {

// A power law: node i draws its neighbours among those before it, the earlier the likelier.
ModelInput power_law() {
  constexpr NodeId kSize = 1000;
  Random random{4};
  std::vector<NodeId> source, target;
  for (NodeId i = 1; i < kSize; ++i) {
    for (int n = 0; n < 4; ++n) {
      const double u = random.uniform();
      source.push_back(static_cast<NodeId>(u * u * u * i)), target.push_back(i);
    }
  }
  const auto values = testing::normal_values(size_t{kSize} * 20, {5});
  return {Features(at::tensor(values).view({kSize, 20})),
          Graph::from_edges(kSize, source, target, {.symmetrise = true})};
}

// For every hop: root mean square of h^(t) over that of h^(0), and the deviation of scores within rows.
void expect_signal(const ModelInput& input, const ModelConfig& config) {
  const at::NoGradGuard no_grad;
  const auto model = make_model(config, input.num_features(), 3, 1);
  nn::start_weights(*model, 1, input);
  const auto& hops = dynamic_cast<const PathModel&>(*model);
  const ops::NodeRows rows{input.graph.in_offset, input.graph.in_neighbour};
  const at::Tensor h_0 = hops.begin(input);
  const double first = nn::start::root_mean_square(h_0);
  at::Tensor h = h_0, memory;
  for (int64_t t = 1; t <= config.depth; ++t) {
    const auto [h_tmp, alpha] = hops.breadth(t, rows, h, h_0);
    const double deviation = nn::start::score_deviation(input.graph, alpha);
    EXPECT_GE(deviation, 0.3) << "hop " << t;
    EXPECT_LE(deviation, 1.5) << "hop " << t;
    h = hops.advance(t, h_tmp, memory);
    const double ratio = nn::start::root_mean_square(h) / first;
    EXPECT_GE(ratio, 0.5) << "hop " << t;
    EXPECT_LE(ratio, 2.0) << "hop " << t;
  }
}

struct Size {
  int64_t depth, width;
};

// With GENIEPATH_EVERY_SIZE set, T from 1 to 16 with K from 8 to 256, which takes minutes; otherwise some of them.
std::vector<Size> sizes() {
  if (std::getenv("GENIEPATH_EVERY_SIZE") == nullptr) return {{1, 8}, {3, 16}, {16, 8}};
  std::vector<Size> sizes;
  for (int64_t depth = 1; depth <= 16; ++depth) {
    for (const int64_t width : {8, 16, 32, 64, 128, 256}) sizes.push_back({depth, width});
  }
  return sizes;
}

void expect_signal_of_every_size(const ModelInput& input) {
  for (const char* model : {"geniepath", "geniepath-lazy"}) {
    for (const auto [depth, width] : sizes()) {
      ModelConfig config;
      config.model = model;
      config.depth = depth;
      config.hidden = width;
      SCOPED_TRACE(std::string(model) + ", T " + std::to_string(depth) + ", K " + std::to_string(width));
      expect_signal(input, config);
    }
  }
}

TEST(Start, KeepsTheSignalOnAPowerLaw) { expect_signal_of_every_size(power_law()); }

Dataset published(const std::string& name) {
  DataOptions options;
  options.data = name;
  options.data_dir = testing::real_data("").string();
  const Dataset raw = load_dataset(options);
  return apply_transforms(raw, fit_transforms(raw, usual_transforms(raw.name)));
}

TEST(Start, KeepsTheSignalOnPubmed) {
  REQUIRE_REAL_DATA(folder, "planetoid");
  expect_signal_of_every_size(training::split_batch(published("pubmed"), {}).input);
}

#ifdef GENIEPATH_READS_PPI
TEST(Start, KeepsTheSignalOnPpi) {
  REQUIRE_REAL_DATA(folder, "ppi");
  expect_signal_of_every_size(training::parts_batch(published("ppi"), {0, 1}, {}).input);  // two of its training graphs
}
#endif

TEST(Start, KeepsTheSignalOfNormalisedRows) {
  for (const char* model : {"geniepath", "geniepath-lazy"}) {
    ModelConfig config;
    config.model = model;
    config.depth = 7;
    config.layer_norm = true;
    SCOPED_TRACE(model);
    expect_signal(power_law(), config);
  }
}

TEST(Start, KeepsTheSignalWithSkipConnectionsAndBiases) {
  for (const char* model : {"geniepath", "geniepath-lazy"}) {
    for (const Residual residual : {Residual::kHop, Residual::kInput}) {
      ModelConfig config;
      config.model = model;
      config.depth = 7;
      config.residual = residual;
      config.bias = residual == Residual::kInput;
      SCOPED_TRACE(std::string(model) + " " + to_string(residual));
      expect_signal(power_law(), config);
    }
  }
}

TEST(Start, ScoresBeginAtTheGuess) {
  const ModelInput input = power_law();
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    ModelConfig config;
    config.model = name;
    const auto model = make_model(config, input.num_features(), 3, 1);
    const at::NoGradGuard no_grad;
    nn::start_weights(*model, 1, input);
    const at::Tensor about_0 = model->forward(input);
    nn::start_weights(*model, 1, input, at::tensor({-3.f, 0.f, 2.f}));
    EXPECT_TRUE(at::allclose(model->forward(input), about_0 + at::tensor({-3.f, 0.f, 2.f}), 1e-5, 1e-5)) << name;
  }
}

// Rows that are all the same have nothing to centre, and scores that do not differ nothing to scale.
TEST(Start, OfConstantFeaturesIsFinite) {
  const Graph graph =
      Graph::from_edges(5, std::vector<NodeId>{0, 1, 2, 3}, std::vector<NodeId>{1, 2, 3, 1}, {.symmetrise = true});
  const ModelInput input{Features(at::ones({5, 64})), graph};
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    ModelConfig config;
    config.model = name;
    const auto model = make_model(config, 64, 3, 1);
    nn::start_weights(*model, 1, input);
    const at::NoGradGuard no_grad;
    EXPECT_LT(model->forward(input).abs().max().item<double>(), 10) << name;
    for (const at::Tensor& weight : model->parameters()) EXPECT_LT(weight.abs().max().item<double>(), 10) << name;
  }
}

}  // namespace
}  // namespace geniepath
