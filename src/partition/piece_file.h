// A piece on disk: two files in the partition's folder.
//
//   piece-R.safetensors        its nodes, then its halo's, as a graph file (data/formats/graph_file.h); those of the
//                              halo have no edges into them, no labels, and zeros for features
//   piece-R-map.safetensors    I32 node, halo, halo_owner, U8 seen_by (piece.h)
//     metadata "geniepath"     JSON: format, version, partition (its identity), rank, pieces
#pragma once

#include <filesystem>
#include <string>

#include "partition/piece.h"

namespace geniepath::partition {

// Which piece of which partition.
struct PieceId {
  std::string partition;
  int64_t rank = 0, pieces = 0;
};

// The piece was cut with a blank halo (CutOptions).
void write_piece(const std::filesystem::path& folder, const PieceId& id, const Piece& piece);

// Features, labels and edges are views of the mapped file. A file that is missing, damaged, hostile or of another piece
// is an Error.
Piece read_piece(const std::filesystem::path& folder, const PieceId& id);

// Whether either of its files exists.
bool has_piece(const std::filesystem::path& folder, int64_t rank);

// Does nothing where its files are missing.
void remove_piece(const std::filesystem::path& folder, int64_t rank);

// Bytes of both files.
int64_t piece_bytes(const std::filesystem::path& folder, int64_t rank);

}  // namespace geniepath::partition
