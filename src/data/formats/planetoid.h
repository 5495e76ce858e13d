// Planetoid: Cora, Citeseer and Pubmed (Yang, Cohen, Salakhutdinov, ICML 2016), as eight files ind.NAME.*
//   x, tx, allx     features of the labelled, the test and all but the test nodes: pickled SciPy matrices of f4
//   y, ty, ally     their classes: pickled i4 arrays, one row per node with a single 1
//   graph           pickled dict: node to list of neighbours, with duplicates and self-loops
//   test.index      text, one node per line: row i of tx and ty belongs to the node on line i
// Assembled as by tkipf/gcn: rows of allx are the nodes 0, 1, 2, ...; the first nodes, as many as x has rows, are for
// training, the next 500 for validation, those of test.index for testing. Nodes in neither allx nor tx (15 of Citeseer)
// have no features and no label. The graph is made symmetric, duplicates are merged, self-loops stay; feature rows are
// not normalised.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

Dataset load_planetoid(const std::filesystem::path& folder, const std::string& name);

// The contents of the eight files; `folder` is for messages.
struct PlanetoidFiles {
  std::span<const std::byte> x, tx, allx, y, ty, ally, graph, test_index;
};
Dataset parse_planetoid(const PlanetoidFiles& files, const std::filesystem::path& folder, const std::string& name);

}  // namespace geniepath
