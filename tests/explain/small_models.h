// Graphs with features and untrained attention models, small enough to be checked by hand.
#pragma once

#include <ATen/ATen.h>

#include <memory>

#include "geniepath/explain.h"
#include "geniepath/train.h"
#include "graphs_that_hurt.h"

namespace geniepath::testing {

constexpr int64_t kFeatures = 4, kClasses = 3;

inline Dataset data_on(const Graph& graph, uint64_t seed = 5) {
  Dataset data;
  data.name = "small";
  data.graph = graph;
  const auto values = normal_values(static_cast<size_t>(graph.num_nodes() * kFeatures), {seed});
  data.features = Features(at::tensor(values).view({graph.num_nodes(), kFeatures}));
  data.labels = at::zeros({graph.num_nodes()}, at::kLong);
  data.num_classes = kClasses;
  return data;
}

inline Graph both_ways(const Graph& graph) { return graph.with({.symmetrise = true}); }

inline ModelConfig attending(const std::string& model, int64_t depth = 3) {
  ModelConfig config;
  config.model = model;
  config.hidden = 5;
  config.depth = depth;
  return config;
}

// Weights are drawn large, so that attention is far from even and no hop is negligible.
inline std::shared_ptr<Model> sharp_model(const ModelConfig& config) {
  auto model = make_model(config, kFeatures, kClasses, 3);
  const at::NoGradGuard no_grad;
  for (at::Tensor& weight : model->parameters()) weight.mul_(2.5);
  return model;
}

// One variant for each option that changes the equations.
inline std::vector<ModelConfig> attending_variants() {
  std::vector<ModelConfig> all;
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    all.push_back(attending(name));
    for (const Residual residual : {Residual::kHop, Residual::kInput})
      all.push_back(attending(name)), all.back().residual = residual;
    for (const DepthKind depth : {DepthKind::kGru, DepthKind::kIdentity})
      all.push_back(attending(name)), all.back().depth_function = depth;
    all.push_back(attending(name, 4)), all.back().bias = all.back().tied = true;
    all.push_back(attending(name, 4)), all.back().layer_norm = true, all.back().residual = Residual::kHop;
    all.push_back(attending(name, 7));
    all.push_back(attending(name, 1));
  }
  all.push_back(attending("geniepath-lazy")), all.back().lazy_start = 1;
  return all;
}

inline std::string name_of(const ModelConfig& config) {
  return config.model + " T " + std::to_string(config.depth) + " " + to_string(config.residual) + " " +
         to_string(config.depth_function);
}

}  // namespace geniepath::testing
