// Part of a data set as one step sees it: a model input, and the nodes of it that count.
#pragma once

#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/model.h"

namespace geniepath::training {

struct Batch {
  ModelInput input;
  at::Tensor nodes;   // int64, rows of the input
  at::Tensor labels;  // of these
  bool all = false;   // whether the nodes are all rows, in order

  Batch to(at::Device device) const { return {input.to(device), nodes.to(device), labels.to(device), all}; }
  // What a model says of the nodes, out of what it says of all rows.
  at::Tensor rows(const at::Tensor& of_input) const;
};

at::Tensor labels_of(const Dataset& data, const std::vector<NodeId>& nodes);

// The whole graph and these nodes.
Batch whole_batch(const Dataset& data, const std::vector<NodeId>& nodes);

// The chosen parts of the graph as one, and those of `nodes` that lie in them.
Batch parts_batch(const Dataset& data, const std::vector<int64_t>& parts, const std::vector<NodeId>& nodes);

// The parts that hold any of the nodes, ascending.
std::vector<int64_t> parts_with(const Dataset& data, const std::vector<NodeId>& nodes);

// What the nodes of a split are scored on: the parts that hold them where the data is inductive, else everything.
Batch split_batch(const Dataset& data, const std::vector<NodeId>& nodes);

}  // namespace geniepath::training
