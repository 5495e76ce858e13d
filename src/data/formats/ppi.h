// PPI: 24 graphs of protein interactions, one per human tissue; 121 labels per protein; 20 / 2 / 2 graphs for training,
// validation and testing. Two published forms, told apart by the folder's files.
//
// GraphSAGE (Hamilton, Ying, Leskovec 2017), all graphs in one file:
//   ppi-G.json           networkx node-link, see ppi_json.h; each undirected edge once, self-loops among them
//   ppi-feats.npy        [N, P] numbers, one row per node
//   ppi-id_map.json      node id -> row: a permutation of 0..N-1
//   ppi-class_map.json   node id -> labels; every node has an entry, which may be all zeros
// The files carry no graph id. In the published data set (56,944 nodes) the graphs are consecutive blocks of rows with
// known sizes; any other data set in this form gets one part per split. Nodes are numbered by split, then by row.
//
// DGL and PyTorch Geometric, three times four files, for train, valid and test:
//   train_graph.json     node-link; ids are rows of the split's own arrays
//   train_feats.npy      [n, P], standardised by the publisher      train_labels.npy  [n, L] of 0 and 1
//   train_graph_id.npy   [n], the rows of a graph contiguous; each graph is a part
#pragma once

#include <filesystem>

#include "geniepath/dataset.h"

namespace geniepath {

// The graph is symmetric, with the published self-loops; features are as published.
Dataset load_ppi(const std::filesystem::path& folder);

}  // namespace geniepath
