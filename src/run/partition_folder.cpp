#include "run/partition_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "base/file_memory.h"
#include "base/folder_lock.h"
#include "base/json_text.h"
#include "data/transforms/refit_transforms.h"
#include "geniepath/error.h"
#include "io/safetensors.h"
#include "partition/owners.h"
#include "run/data_files.h"
#include "run/description_json.h"
#include "run/run_files.h"
#include "run/weights_file.h"

namespace geniepath::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kPartition = "partition.json", *kPartitionFormat = "geniepath-partition";
constexpr int64_t kPartitionVersion = 1;

std::string identity(const RunDescription& description, const std::vector<int32_t>& owner) {
  Checksum sum;
  sum.add(description.fingerprint);
  sum.add(description.transforms.to_json_text());
  sum.add(std::as_bytes(std::span(owner)));
  return sum.hex();
}

std::vector<int32_t> owners(const Dataset& data, const PartitionOptions& options, const partition::Progress& progress) {
  if (options.method == PartitionMethod::kStream) return partition::streamed_owners(data, options.pieces, progress);
  if (progress) progress("dividing by METIS");
  return partition::owners_of(data, options.pieces, options.seed);
}

std::vector<PieceSize> write_pieces(const PreparedRun& made, const std::vector<int32_t>& owner, partition::PieceId id,
                                    const fs::path& folder, const partition::Progress& progress) {
  const partition::CutOptions options{
      .memory = [&](size_t bytes) { return file_memory(folder, bytes); },
      .values = [&](const Features& features) { return transformed_values(features, made.fitted); },
      .blank_halo = true};
  std::vector<PieceSize> sizes;
  for (; id.rank < id.pieces; ++id.rank) {
    if (progress) progress("writing piece " + std::to_string(id.rank + 1) + " of " + std::to_string(id.pieces));
    const partition::Piece piece = partition::cut_piece(made.data, owner, static_cast<int32_t>(id.rank), options);
    partition::write_piece(folder, id, piece);
    const auto entries = piece.data.graph.incoming().neighbour.span();
    const auto cut = std::ranges::count_if(entries, [&](NodeId j) { return j >= std::ssize(piece.node); });
    sizes.push_back({std::ssize(piece.node), std::ssize(piece.halo), std::ssize(entries), cut,
                     partition::piece_bytes(folder, id.rank)});
  }
  return sizes;
}

Json described(const PreparedRun& made, const partition::PieceId& id, const fs::path& folder) {
  RunDescription placed = made.description;
  placed.files = data_files(placed, folder);
  placed.transforms_checksum = written_checksum(folder / kTransforms);
  return {{"format", kPartitionFormat},
          {"version", kPartitionVersion},
          {"partition", id.partition},
          {"pieces", id.pieces},
          {"training_nodes", made.data.train.size()},
          {"description", to_json(placed)}};
}

void check_no_run(const fs::path& folder) {
  if (RunFolder(folder).holds_run()) fail(folder.string(), ": holds a run; choose another folder");
}

// After a failure: what cannot be removed stays.
void remove_pieces(const fs::path& folder, int64_t pieces) {
  for (int64_t rank = 0; rank < pieces; ++rank) {
    try {
      partition::remove_piece(folder, rank);
    } catch (const Error&) {
    }
  }
}

// The last goes first: killed at any moment, this leaves ranks without a gap, so that the next call finds them all.
void remove_earlier_pieces(const fs::path& folder) {
  int64_t pieces = 0;
  while (partition::has_piece(folder, pieces)) ++pieces;
  while (pieces > 0) partition::remove_piece(folder, --pieces);
}

}  // namespace

bool holds_partition(const fs::path& folder) { return fs::exists(folder / kPartition); }

std::vector<PieceSize> write_partition(const PreparedRun& made, const PartitionOptions& options, const fs::path& folder,
                                       const partition::Progress& progress) {
  make_folder(folder);
  const FolderLock lock(folder);
  check_no_run(folder);
  const std::vector<int32_t> owner = owners(made.data, options, progress);
  const partition::PieceId id{identity(made.description, owner), 0, options.pieces};
  remove_file(folder / kPartition);
  remove_earlier_pieces(folder);
  try {
    const std::vector<PieceSize> sizes = write_pieces(made, owner, id, folder, progress);
    write_safetensors(folder / kTransforms, {made.fitted.tensors, {}});
    write_atomically(folder / kPartition, [&](std::ostream& out) { out << sealed_json(described(made, id, folder)); });
    return sizes;
  } catch (...) {
    remove_pieces(folder, options.pieces);
    throw;
  }
}

PartitionFolder read_partition(const fs::path& folder) {
  const fs::path path = folder / kPartition;
  const std::string where = path.string();
  const Json about = parse_sealed_json(read_text(path), where);
  if (!about.is_object() || about.value("format", Json()) != kPartitionFormat)
    fail(where, ": not a partition written by geniepath");
  if (about.value("version", Json()) != kPartitionVersion) {
    fail(where, ": version ", about.value("version", Json()).dump(), " of the format, but this program reads ",
         kPartitionVersion);
  }
  PartitionFolder found;
  try {
    found.id = {about.at("partition"), 0, whole_number(about.at("pieces"), "pieces")};
    found.training_nodes = whole_number(about.at("training_nodes"), "training_nodes");
    found.description = run_description_from_json(about.at("description"), where);
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": ", json_reason(error));
  }
  find_data_files(found.description, folder);
  found.fitted = {found.description.transforms, read_transforms(folder / kTransforms, found.description.transforms_checksum)};
  return found;
}

}  // namespace geniepath::run
