// The form of yandex-research/heterophilous-graphs (Platonov et al., ICLR 2023): one .npz with, for N nodes,
//   node_features [N, P]                       dense
//   node_labels [N]                            classes 0, 1, 2, ...
//   edges [E, 2]                               undirected, each once; integers
//   train_masks, val_masks, test_masks [S, N]  S splits; bool, every node in at most one part of a split
// The graph is made symmetric, duplicates are merged. Two classes make a binary task, judged by ROC-AUC, more a
// multi-class one, judged by accuracy, as in the paper.
#pragma once

#include <filesystem>
#include <string>

#include "geniepath/dataset.h"

namespace geniepath {

// `split` counts from 0. A folder must contain NAME.npz.
Dataset load_heterophilous(const std::filesystem::path& folder_or_npz, const std::string& name, int64_t split);

// Whether an .npz has this form, by the names of its members.
bool is_heterophilous(const std::filesystem::path& npz);

}  // namespace geniepath
