// BlogCatalog (Zafarani and Liu 2009): bloggers, their friendships and their groups. Two published forms:
//   blogcatalog.mat     MATLAB, see mat.h: `network` N x N and `group` N x L, sparse
//   edges.csv           "u,v" per line, each undirected edge once, ids from 1, no header
//   group-edges.csv     "node,group" per line, both from 1, no header
// The .mat file is preferred if this build can read it; both give the same data set. Nodes in no group have a row of 0.
#pragma once

#include <filesystem>

#include "geniepath/dataset.h"

namespace geniepath {

// No features are published, so one-hot node ids stand in; no split is published, so it is empty.
Dataset load_blogcatalog(const std::filesystem::path& folder);

}  // namespace geniepath
