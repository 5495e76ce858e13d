// Batch of a data set: a model input, and the nodes of it that are trained on or scored.
#pragma once

#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/model.h"

namespace geniepath::training {

struct Batch {
  ModelInput input;
  at::Tensor nodes;   // int64, rows of the input
  at::Tensor labels;  // of these nodes
  bool all = false;   // whether the nodes are all rows, in order

  Batch to(at::Device device) const { return {input.to(device), nodes.to(device), labels.to(device), all}; }
  // The nodes' rows of a result for the whole input.
  at::Tensor rows(const at::Tensor& of_input) const;
};

at::Tensor labels_of(const Dataset& data, const std::vector<NodeId>& nodes);

// These rows of an input, with their labels.
Batch with_nodes(ModelInput input, const std::vector<NodeId>& rows, at::Tensor labels);

// These nodes of the whole graph, whose input exists already.
Batch with_nodes(const ModelInput& whole, const Dataset& data, const std::vector<NodeId>& nodes);

// The whole graph, with these nodes.
Batch whole_batch(const Dataset& data, const std::vector<NodeId>& nodes, InputUse use = InputUse::kTraining);

// The union of these parts of the graph, with those of `nodes` that are in them.
Batch parts_batch(const Dataset& data, const std::vector<int64_t>& parts, const std::vector<NodeId>& nodes,
                  InputUse use = InputUse::kTraining);

// The parts that contain any of the nodes, ascending.
std::vector<int64_t> parts_with(const Dataset& data, const std::vector<NodeId>& nodes);

// Batch for a split: in an inductive data set the parts that contain the nodes, else the whole graph.
Batch split_batch(const Dataset& data, const std::vector<NodeId>& nodes, InputUse use = InputUse::kTraining);

}  // namespace geniepath::training
