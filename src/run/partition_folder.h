// A prepared data set, divided into pieces on disk, one per process: `geniepath partition`. No process needs the whole
// graph to train on it.
//
//   partition.json              what was divided and how it was prepared, the number of pieces, and their identity
//   transforms.safetensors      the fitted preparation, if any was fitted
//   piece-R*.safetensors        partition/piece_file.h
#pragma once

#include <filesystem>

#include "geniepath/run.h"
#include "partition/piece_file.h"

namespace geniepath::run {

struct PartitionFolder {
  RunDescription description;  // of the data and its preparation; the recipe is not used
  FittedTransforms fitted;
  int64_t training_nodes = 0;  // of all pieces
  partition::PieceId id;       // with rank 0
};

// Sizes of a piece, for messages.
struct PieceSize {
  int64_t nodes, halo, edges, bytes;
};

// Divides prepared data and writes the folder; what it held before is overwritten.
std::vector<PieceSize> write_partition(const PreparedRun& made, int64_t pieces, uint64_t seed, const std::filesystem::path& folder);

PartitionFolder read_partition(const std::filesystem::path& folder);

}  // namespace geniepath::run
