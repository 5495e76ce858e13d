#include "run/partition_folder.h"

#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "base/file.h"
#include "base/json_text.h"
#include "geniepath/error.h"
#include "partition/owners.h"
#include "run/data_files.h"
#include "run/description_json.h"
#include "run/run_files.h"

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

}  // namespace

std::vector<PieceSize> write_partition(const PreparedRun& made, int64_t pieces, uint64_t seed, const fs::path& folder) {
  make_folder(folder);
  const std::vector<int32_t> owner = partition::owners_of(made.data, pieces, seed);
  partition::PieceId id{identity(made.description, owner), 0, pieces};
  std::vector<PieceSize> sizes;
  for (; id.rank < pieces; ++id.rank) {
    const partition::Piece piece = partition::cut_piece(made.data, owner, static_cast<int32_t>(id.rank));
    partition::write_piece(folder, id, piece);
    sizes.push_back({std::ssize(piece.node), std::ssize(piece.halo), piece.data.graph.num_edges(),
                     partition::piece_bytes(folder, id.rank)});
  }
  write_safetensors(folder / kTransforms, {made.fitted.tensors, {}});
  RunDescription placed = made.description;
  placed.files = data_files(placed, folder);
  const Json about{{"format", kPartitionFormat},
                   {"version", kPartitionVersion},
                   {"partition", id.partition},
                   {"pieces", pieces},
                   {"training_nodes", made.data.train.size()},
                   {"description", to_json(placed)}};
  write_atomically(folder / kPartition, [&](std::ostream& out) { out << sealed_json(about); });
  return sizes;
}

PartitionFolder read_partition(const fs::path& folder) {
  const fs::path path = folder / kPartition;
  const std::string where = path.string();
  const Json about = parse_sealed_json(read_text(path), where);
  if (!about.is_object() || about.value("format", Json()) != kPartitionFormat) fail(where, ": not a partition written by geniepath");
  if (about.value("version", Json()) != kPartitionVersion) {
    fail(where, ": version ", about.value("version", Json()).dump(), " of the format, but this program reads ", kPartitionVersion);
  }
  PartitionFolder found;
  try {
    found.id = {about.at("partition"), 0, whole_number(about.at("pieces"), "pieces")};
    found.training_nodes = whole_number(about.at("training_nodes"), "training_nodes");
    found.description = run_description_from_json(about.at("description"), where);
  } catch (const nlohmann::json::exception& error) {
    fail(where, ": ", error.what());
  }
  find_data_files(found.description, folder);
  found.fitted = {found.description.transforms, read_learned(folder / kTransforms).tensors};
  return found;
}

}  // namespace geniepath::run
