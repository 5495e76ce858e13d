// The DGL and PyTorch Geometric form of PPI; the format is in ppi.h.
#pragma once

#include <filesystem>

#include "geniepath/dataset.h"

namespace geniepath {

Dataset load_ppi_dgl(const std::filesystem::path& folder);

}  // namespace geniepath
