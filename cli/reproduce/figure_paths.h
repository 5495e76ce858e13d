// The paper's qualitative figure: all paths of at most two hops to a node, with edges weighted by the graph Laplacian
// and by the first adaptive path layer.
#pragma once

#include <string>

#include "geniepath/dataset.h"
#include "geniepath/run.h"

namespace geniepath::cli {

// The contents of results.json, plot.svg and table.md.
struct FigurePaths {
  std::string json, svg, markdown;
};

// For the finished run in the folder; `data` is its prepared training data. node -1: the test node, of at least five
// neighbours if possible, whose two-hop neighbourhood is nearest to 60 nodes. `command` is shown with the results.
FigurePaths figure_paths(const RunFolder& folder, const Dataset& data, NodeId node, const std::string& command);

}  // namespace geniepath::cli
