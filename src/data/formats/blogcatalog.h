// BlogCatalog (Zafarani and Liu 2009): bloggers, who befriends whom, and the groups they are in. Two published forms:
//   blogcatalog.mat     MATLAB, see mat.h: `network` N x N and `group` N x L, sparse
//   edges.csv           "u,v" a line, each undirected edge once, ids from 1, no header
//   group-edges.csv     "node,group" a line, both from 1, no header
// The .mat file is taken where it is there and the library for it was built in; both make the same data set. A node in
// no group has a row of zeros.
#pragma once

#include <filesystem>

#include "geniepath/dataset.h"

namespace geniepath {

// No features are published: they are one-hot node ids. No split is published: it is empty.
Dataset load_blogcatalog(const std::filesystem::path& folder);

}  // namespace geniepath
