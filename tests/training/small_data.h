// A data set that trains in a second: nodes on rings, whose class depends on a neighbour's feature.
#pragma once

#include <ATen/ATen.h>

#include "base/random.h"
#include "geniepath/dataset.h"

namespace geniepath::testing {

// Node i's class is the one shown by its neighbour's features. `parts` rings of `size` nodes each; if inductive, the
// last ring is for testing and the one before for validation.
inline Dataset ring_data(int64_t parts = 6, NodeId size = 40, bool inductive = true) {
  std::vector<Graph> rings;
  for (int64_t p = 0; p < parts; ++p) {
    std::vector<NodeId> source, target;
    for (NodeId i = 0; i < size; ++i) source.push_back(i), target.push_back((i + 1) % size);
    rings.push_back(Graph::from_edges(size, source, target));
  }
  Dataset data;
  data.name = "rings";
  data.graph = Graph::disjoint_union(rings);
  const NodeId nodes = data.graph.num_nodes();
  at::Tensor x = at::zeros({nodes, 4});
  data.labels = at::zeros({nodes}, at::kLong);
  Random random{11};
  std::vector<int64_t> shown(static_cast<size_t>(nodes));
  for (NodeId i = 0; i < nodes; ++i) {
    shown[static_cast<size_t>(i)] = static_cast<int64_t>(random.below(3));
    x[i][shown[static_cast<size_t>(i)]] = 1.0f;
    x[i][3] = static_cast<float>(random.uniform());
  }
  for (NodeId i = 0; i < nodes; ++i) {
    const NodeId source = data.graph.incoming().neighbours(i)[0];
    data.labels[i] = shown[static_cast<size_t>(source)];
    const int64_t part = i / size;
    const int64_t role = inductive ? (part == parts - 1 ? 2 : part == parts - 2 ? 1 : 0) : i % 4;
    (role == 2 ? data.test : role == 1 ? data.valid : data.train).push_back(i);
  }
  data.features = Features(x);
  data.num_classes = 3;
  data.inductive = inductive;
  return data;
}

// Chains a - b - c. The features of c show the class of a; those of a and b are noise. Only a is labelled, so its class
// can only be learned from 2 hops away.
inline Dataset chain_data(NodeId chains = 240) {
  Dataset data;
  data.name = "chains";
  std::vector<NodeId> source, target;
  at::Tensor x = at::zeros({3 * chains, 7});
  data.labels = at::full({3 * chains}, -1, at::kLong);
  Random random{12};
  for (NodeId chain = 0; chain < chains; ++chain) {
    const NodeId a = 3 * chain, b = a + 1, c = a + 2;
    source.insert(source.end(), {a, b}), target.insert(target.end(), {b, c});
    const auto shown = static_cast<int64_t>(random.below(3));
    x[c][shown] = 1.0f;
    for (const NodeId node : {a, b}) x[node][3 + static_cast<int64_t>(random.below(4))] = 1.0f;
    data.labels[a] = shown;
    (chain % 4 == 3 ? data.test : chain % 4 == 2 ? data.valid : data.train).push_back(a);
  }
  data.graph = Graph::from_edges(3 * chains, source, target, {.symmetrise = true});
  data.features = Features(x);
  data.num_classes = 3;
  return data;
}

}  // namespace geniepath::testing
