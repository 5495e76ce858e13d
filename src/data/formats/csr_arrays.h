// Graphs as NumPy arrays: a folder of .npy files, or for load_csr_arrays one .npz with members of the same names.
//
// CSR form (shchur/gnn-benchmark and conversions of it), N nodes:
//   adj_indptr [N + 1], adj_indices [E]              row i lists the neighbours of node i; integers
//   adj_data [E]                                     optional; an entry of 0 is no edge, other weights are not kept
//   attr_indptr, attr_indices, attr_data             sparse features, kept sparse; optional: attr_shape (rows, columns)
//   or attr [N, P]                                   dense features
//   label or labels [N]                              classes 0, 1, 2, ...; -1 where unknown
// or, only in an .npz (EdisonLeeeee/GraphData), pickled SciPy matrices, which are read but never executed:
//   adj_matrix [N, N], node_attr [N, P]              csr_matrix objects
//   node_label [N]                                   as label
// The graph is made symmetric, duplicates are merged, self-loops stay.
//
// Edge-index form (PyTorch Geometric), N nodes:
//   edge_index [2, E]                                row 0 sources, row 1 targets; integers; directions stay
//   x [N, P], y [N]                                  features; classes, a binary task where all are 0 and 1
// or the same three in a Data object of torch.save (io/torch_file.h), itself zipped: NAME.pt.zip.
#pragma once

#include <filesystem>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// Neither form has a split: train, valid and test are empty. In place of adj_indptr.npy a folder may contain one .npz,
// in place of edge_index.npy one .pt.zip.
Dataset load_csr_arrays(const std::filesystem::path& folder_or_npz, const std::string& name);
Dataset load_edge_index_arrays(const std::filesystem::path& folder_or_zip, const std::string& name);

}  // namespace geniepath
