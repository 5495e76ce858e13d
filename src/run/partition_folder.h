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
#include "partition/stream_owners.h"

namespace geniepath::run {

struct PartitionFolder {
  RunDescription description;  // of the data and its preparation; the recipe is not used
  FittedTransforms fitted;
  int64_t training_nodes = 0;  // of all pieces
  partition::PieceId id;       // with rank 0
};

// Sizes of a piece, for messages.
struct PieceSize {
  int64_t nodes, halo, edges, cut, bytes;  // cut: edges from nodes of other pieces
};

// The method that assigns nodes to pieces. METIS holds the whole graph several times; the stream reads it row by row.
enum class PartitionMethod { kMetis, kStream };

struct PartitionOptions {
  int64_t pieces = 2;
  PartitionMethod method = PartitionMethod::kMetis;
  uint64_t seed = 1;  // of METIS
};

bool holds_partition(const std::filesystem::path& folder);

// Divides prepared data, whose feature values are not transformed yet (prepare_but_values), and writes the folder.
// Arrays of a piece are made in a temporary file there: beside METIS, memory is in proportion to the nodes. The folder
// is a partition again only once everything is written: an earlier one is gone, with all its pieces, before the first
// is written, and what was written before an Error is removed. A folder with a run is an Error.
std::vector<PieceSize> write_partition(const PreparedRun& made, const PartitionOptions& options,
                                       const std::filesystem::path& folder, const partition::Progress& progress = {});

PartitionFolder read_partition(const std::filesystem::path& folder);

}  // namespace geniepath::run
