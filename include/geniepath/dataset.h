// A data set: a graph with node features, labels and splits.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <utility>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/features.h"
#include "geniepath/graph.h"
#include "geniepath/names.h"

namespace geniepath GENIEPATH_EXPORT {

enum class Task {
  kMultiClass,  // one of C classes per node; labels int64 [N], -1 where unknown
  kMultiLabel,  // any of L labels per node; labels f32 [N, L] of 0 and 1, a whole row NaN where unknown
  kBinary,      // positive or not; labels int64 [N] of 0 and 1, -1 where unknown
};
template <>
inline constexpr auto kNames<Task> = names<Task>(
    {{Task::kMultiClass, "multi-class"}, {Task::kMultiLabel, "multi-label"}, {Task::kBinary, "binary"}});

struct Dataset {
  std::string name;
  Task task = Task::kMultiClass;
  std::string metric = "accuracy";  // default for early stopping and the headline score
  Graph graph;                      // as published: not yet the paper's N(i) + {i}
  Features features;
  at::Tensor labels;
  int64_t num_classes = 0;               // C, or L for multi-label; 2 for binary
  std::vector<std::string> class_names;  // empty: numbers
  std::vector<NodeId> train, valid, test;
  // Inductive: parts of the graph with validation or test nodes are unseen while training.
  bool inductive = false;
  std::vector<std::string> node_names;  // unique; empty: the index
  std::vector<std::string> type_names;  // kinds of nodes (account, device); empty: one kind
  std::vector<uint8_t> node_type;       // index into type_names; empty: one kind
  // Ground truth of a generated world; empty where unknown. No model sees it: explanations are compared with it.
  std::vector<std::pair<NodeId, NodeId>> true_edges;  // (source, target): edges that carry labels; ascending, each once
  std::vector<uint8_t> path_length;                   // of each node: steps to where its label lies

  // Checks that shapes agree, names are unique, split nodes exist and have labels, features are finite and true edges
  // are edges of the graph. The Error names the first violation.
  void validate() const;
  std::string node_name(NodeId node) const;  // or its index
};

}  // namespace geniepath
