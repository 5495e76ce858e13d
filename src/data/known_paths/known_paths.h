// Generated world whose true paths are known: the label of a node lies at the end of a path through the graph, and the
// features alone say where the path goes and where it ends. So what a model attends to can be compared with the truth.
//
// Every node has a key and one incoming neighbour per key, never itself. Its path length L is 0 to `steps`, not shown:
//   L = 0, an end   holds a value, which is its label; its neighbours are random
//   L > 0           looks for the key of one neighbour, a random node of length L - 1, whose label is its own; the
//                   other neighbours are random
// Edges run from the neighbour to the node, as messages do. The true edges are those from the neighbour looked for, one
// per node that is no end. A node may look for its own key; the neighbour is then another node that has it.
//
// Features X [N, 2 keys + values], sparse, two ones per row:
//   keys columns    the node's own key, by which others recognise it
//   keys columns    the key it looks for; zeros for an end
//   values columns  its value; zeros for all but ends
//
// Where the difficulty is:
//   breadth  Which neighbour is right depends on the features of both nodes, so attention must be dynamic. Static
//            attention, as in GAT, ranks the neighbours alike for all nodes (Brody, Alon, Yahav 2022).
//   depth    A path ends after 0 to `steps` hops, and only the node where it ends says so.
//   noise    A share of the nodes show a wrong key to look for or, ends, a wrong value, drawn from the others. Own
//            keys, edges, labels and true edges stay. A path of length L shows no error with probability
//            (1 - noise)^(L + 1).
// Chance is 1 / values.
#pragma once

#include <cstdint>

#include "geniepath/dataset.h"

namespace geniepath {

constexpr int64_t kMostKnownPathsNodes = 10'000'000;

// Within the bounds of DataOptions, which has them too; stricter ones are stated here and checked.
struct KnownPathsOptions {
  int64_t nodes = 20000;   // of all graphs together, exactly; each graph needs two per key and one per path length
  int64_t steps = 3;       // longest path
  int64_t keys = 10;       // and so neighbours per node
  int64_t values = 4;      // classes
  double noise = 0;        // share of each graph's nodes, rounded
  double label_share = 1;  // of each graph's nodes, rounded; at least four nodes, or one where there are several graphs
  int64_t graphs = 1;      // one, or three and more
  int64_t seed = 1;
};

// All nodes, the labelled ones and each split have every path length equally often, up to one node per graph. A single
// graph is split by nodes: half of the labelled ones for training, a quarter each for validation and testing. Several
// graphs have equal sizes and are split as a whole: a quarter of them, at least one, for validation, as many for
// testing, the others for training. The same options give the same bits on every machine. O(nodes * keys), apart from
// sorting each node's neighbours and the true edges.
Dataset make_known_paths(const KnownPathsOptions& options);

}  // namespace geniepath
