// PPI: 24 graphs of protein interactions, one a human tissue; 121 labels a protein, 20 / 2 / 2 graphs to train,
// validate and test on. Two published forms; the folder's files say which.
//
// GraphSAGE (Hamilton, Ying, Leskovec 2017), all graphs in one file:
//   ppi-G.json           networkx node-link, see ppi_json.h; each undirected edge once, self-loops among them
//   ppi-feats.npy        [N, P] numbers, a row a node
//   ppi-id_map.json      node id -> row: a permutation of 0..N-1
//   ppi-class_map.json   node id -> labels; every node has an entry, which may be all zeros
// The files carry no graph id. In the published data set (56,944 nodes) the graphs are consecutive blocks of rows with
// known sizes; any other data set in this form gets one part a split. Nodes are numbered by their row, those of one
// split next to each other.
//
// DGL and PyTorch Geometric, three times four files, for train, valid and test:
//   train_graph.json     node-link; ids are rows of the split's own arrays
//   train_feats.npy      [n, P], standardised by the publisher      train_labels.npy  [n, L] of 0 and 1
//   train_graph_id.npy   [n], a graph's rows next to each other: each graph is a part
#pragma once

#include <filesystem>

#include "geniepath/dataset.h"

namespace geniepath {

// The graph is symmetric, with the self-loops that were published; features are as published.
Dataset load_ppi(const std::filesystem::path& folder);

}  // namespace geniepath
