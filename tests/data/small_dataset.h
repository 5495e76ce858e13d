// Small data sets of every kind for the tests of src/data.
#pragma once

#include <ATen/ATen.h>

#include "geniepath/dataset.h"

namespace geniepath::testing {

// Five nodes: a triangle 0 1 2 with a self-loop on 2, a tail 2 - 3, and 4 alone. Node 4 has no label.
inline Dataset small_dataset() {
  Dataset data;
  data.name = "small";
  const std::vector<NodeId> source{0, 1, 2, 2, 2}, target{1, 2, 0, 2, 3};
  data.graph = Graph::from_edges(5, source, target, {.symmetrise = true});
  data.features = at::arange(15, at::kFloat).view({5, 3}).contiguous();
  data.labels = at::tensor(std::vector<int64_t>{0, 1, 0, 1, -1}, at::kLong);
  data.num_classes = 2;
  data.train = {0, 1};
  data.valid = {2};
  data.test = {3};
  return data;
}

inline SparseMatrix small_sparse() {
  return {5, 4, std::vector<int64_t>{0, 2, 2, 3, 5, 6}, std::vector<int32_t>{0, 3, 1, 0, 2, 3},
          std::vector<float>{1, 2, 3, 4, 5, 6}};
}

// Two graphs of 3 and 2 nodes, the second unseen in training; with names, types, three labels per node and ground
// truth.
inline Dataset small_union() {
  Dataset data = small_dataset();
  data.name = "union";
  data.task = Task::kMultiLabel;
  data.metric = "micro_f1";
  const std::vector<NodeId> source{0, 1, 3}, target{1, 2, 4};
  data.graph = Graph::from_edges(5, source, target, {.symmetrise = true}).with_parts({0, 3, 5});
  data.features = small_sparse();
  data.labels = at::tensor({1.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 1.f, 1.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}).view({5, 3});
  data.labels[1].fill_(NAN);
  data.num_classes = 3;
  data.class_names = {"red", "", "blue"};
  data.train = {0, 2};
  data.valid = {3};
  data.test = {4};
  data.inductive = true;
  data.node_names = {"a", "", "c\xc3\xa9", std::string("n\0l", 3), "e"};
  data.type_names = {"account", "device"};
  data.node_type = {0, 1, 0, 1, 0};
  data.true_edges = {{1, 0}, {2, 1}, {4, 3}};
  data.path_length = {2, 1, 0, 1, 0};
  return data;
}

}  // namespace geniepath::testing
