// Counts of a data set, as papers tabulate them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "geniepath/dataset.h"

namespace geniepath {

// Nodes with `from` to `to` neighbours: 0, 1, 2-3, 4-7, 8-15, ...
struct DegreeBin {
  int64_t from, to, nodes;
};

// Edges are undirected: {i, j} counts once, whether listed in one direction, in both or several times. A degree is the
// number of distinct neighbours other than the node itself, ignoring direction.
struct DatasetStatistics {
  int64_t nodes = 0;
  int64_t edges = 0;       // undirected, self-loops included
  int64_t self_loops = 0;  // nodes that are their own neighbour
  int64_t entries = 0;     // directed, as the graph lists them
  int64_t features = 0;
  int64_t classes = 0;
  int64_t graphs = 0;
  int64_t train = 0, valid = 0, test = 0;
  int64_t components = 0;
  int64_t max_degree = 0;
  int64_t isolated = 0;  // nodes of degree 0
  double density_of_features = 0;  // non-zeros / (nodes x features); 0 where there are none
  std::vector<DegreeBin> degree_histogram;
};

DatasetStatistics statistics_of(const Dataset& data);

// The members under their names, in this order; a bin is {"from", "to", "nodes"}.
nlohmann::ordered_json to_json(const DatasetStatistics& statistics);

}  // namespace geniepath
