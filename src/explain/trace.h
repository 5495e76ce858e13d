// Trace of a model's forward pass over a graph, the source of receptive paths.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "explain/attention.h"
#include "geniepath/dataset.h"
#include "geniepath/path_model.h"

namespace geniepath::explain {

struct Trace : Attention {
  std::shared_ptr<const Model> model;
  const PathModel* path_model = nullptr;  // the same object
  Task task = Task::kMultiClass;
  bool symmetric = false;
  std::vector<at::Tensor> h;  // h^(0) .. h^(T-1), [N, K]
  at::Tensor probabilities;   // [N, outputs]

  at::Tensor probabilities_of(const at::Tensor& representation) const;
  // The nodes that attend to this node.
  std::span<const NodeId> readers(NodeId node) const {
    return (symmetric ? graph.incoming() : graph.outgoing()).neighbours(node);
  }
};

// Runs one forward pass. A model without attention is an Error.
Trace make_trace(std::shared_ptr<const Model> model, const Dataset& data, std::vector<int64_t> degree);

// h^(0) for rows of features: [rows, K].
at::Tensor begin(const PathModel& model, const Features& features);

}  // namespace geniepath::explain
