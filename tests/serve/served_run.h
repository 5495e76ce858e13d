// A small trained run on disk, and a service over it.
#pragma once

#include <ATen/ATen.h>

#include <map>

#include "explain/small_models.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "serve/service.h"
#include "training/small_data.h"

namespace geniepath::testing {

class ServedRun {
 public:
  explicit ServedRun(Dataset served = named_rings(), TransformOptions transforms = {}) : data(std::move(served)) {
    RunDescription run;
    run.model.hidden = 4, run.model.depth = 3;
    run.train.epochs = 2;
    run.class_names = {"red", "green", "blue"};
    run.transforms = transforms;
    const FittedTransforms fitted = fit_transforms(data, transforms);
    Dataset prepared = apply_transforms(data, fitted);
    run.task = data.task, run.classes = data.num_classes, run.features = prepared.features.num_features();
    folder.create(run, fitted, true);
    train(prepared, run, folder, {});
    service = std::make_unique<serve::Service>(folder, std::move(prepared), "1.2.3");
  }

  // Ring nodes called "node 0", "node 1", ...; both ways.
  static Dataset named_rings() {
    Dataset rings = ring_data(6, 10);
    rings.graph = rings.graph.with({.symmetrise = true}).with_parts(rings.graph.part_begins());
    for (NodeId node = 0; node < rings.graph.num_nodes(); ++node)
      rings.node_names.push_back("node " + std::to_string(node));
    return rings;
  }

  // Replaces the service by one that cannot score: its data has one feature too few.
  void break_scoring() {
    Dataset broken = data;
    broken.features = Features(data.features.dense().narrow(1, 0, data.features.num_features() - 1).contiguous());
    service = std::make_unique<serve::Service>(folder, std::move(broken), "1.2.3");
  }

  nlohmann::json get(const std::string& target) const {
    return nlohmann::json::parse(service->get(serve::parse_target(target)));
  }
  nlohmann::json score(const std::string& body) const {
    return nlohmann::json::parse(service->post(serve::parse_target("/api/v1/score"), body));
  }

  ScratchFolder scratch;
  RunFolder folder{scratch / "run"};
  Dataset data;
  std::unique_ptr<serve::Service> service;
};

}  // namespace geniepath::testing
