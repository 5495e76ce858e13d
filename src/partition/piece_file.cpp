#include "partition/piece_file.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json_text.h"
#include "data/formats/graph_file.h"
#include "geniepath/error.h"
#include "io/safetensors.h"

namespace geniepath::partition {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kMetadataKey = "geniepath", *kPieceFormat = "geniepath-piece";
constexpr int64_t kPieceVersion = 1;

fs::path data_path(const fs::path& folder, int64_t rank) {
  return folder / ("piece-" + std::to_string(rank) + ".safetensors");
}
fs::path map_path(const fs::path& folder, int64_t rank) {
  return folder / ("piece-" + std::to_string(rank) + "-map.safetensors");
}

Json to_json(const PieceId& id) {
  return {{"format", kPieceFormat},
          {"version", kPieceVersion},
          {"partition", id.partition},
          {"rank", id.rank},
          {"pieces", id.pieces}};
}

// ---- writing

template <class T>
at::Tensor to_tensor(const std::vector<T>& values) {
  at::Tensor tensor = at::empty({std::ssize(values)}, c10::CppTypeToScalarType<T>::value);
  std::copy(values.begin(), values.end(), tensor.data_ptr<T>());
  return tensor;
}

// ---- reading

template <class T>
std::vector<T> list(const TensorFile& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) fail("no array '", name, "'");
  if (found->second.scalar_type() != c10::CppTypeToScalarType<T>::value || found->second.dim() != 1) {
    fail("array '", name, "': expected one dimension of ", at::toString(c10::CppTypeToScalarType<T>::value));
  }
  const auto* values = found->second.data_ptr<T>();
  return {values, values + found->second.numel()};
}

void check_id(const TensorFile& file, const PieceId& id) {
  const auto text = file.metadata.find(kMetadataKey);
  if (text == file.metadata.end()) fail("not a piece written by geniepath");
  const Json found = parse_json<Json>(text->second, "metadata"), expected = to_json(id);
  for (const auto& [key, value] : expected.items()) {
    if (!found.is_object() || found.value(key, Json()) != value) {
      fail("a piece with ", key, " ", found.is_object() ? found.value(key, Json()).dump() : "none", ", expected ",
           value.dump());
    }
  }
}

// Checks everything used as an index, and all that the processes rely on.
void check(const Piece& piece, const PieceId& id) {
  const size_t own = piece.node.size(), all = own + piece.halo.size();
  if (static_cast<size_t>(piece.data.graph.num_nodes()) != all) {
    fail(piece.data.graph.num_nodes(), " nodes in the graph, but ", own, " of its own and ", piece.halo.size(),
         " of its halo");
  }
  if (piece.halo_owner.size() != piece.halo.size())
    fail(piece.halo_owner.size(), " owners of ", piece.halo.size(), " nodes");
  if (piece.seen_by.size() != (piece.data.inductive ? all : 0))
    fail("array 'seen_by': ", piece.seen_by.size(), " entries");
  std::vector<NodeId> sorted = piece.node;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    fail("array 'node': node ", *twice, " twice");
  if (!std::ranges::is_sorted(piece.halo_owner)) fail("array 'halo_owner': not ascending");
  for (const int32_t owner : piece.halo_owner) {
    if (owner < 0 || owner >= id.pieces || owner == id.rank)
      fail("array 'halo_owner': rank ", owner, " of ", id.pieces);
  }
  for (size_t i = own; i < all; ++i) {
    if (piece.data.graph.incoming().degree(static_cast<NodeId>(i)) != 0)
      fail("node ", i, " of the halo has edges into it");
  }
  for (const std::vector<NodeId>* split : {&piece.data.train, &piece.data.valid, &piece.data.test}) {
    if (std::ranges::any_of(*split, [&](NodeId node) { return static_cast<size_t>(node) >= own; }))
      fail("a node of the halo is in a split");
  }
}

Features own_rows(const Features& features, int64_t own) {
  if (!features.is_sparse()) return features.dense().narrow(0, 0, own);
  SparseMatrix x = features.sparse();
  x.offset = SharedArray<int64_t>(x.offset.span(0, own + 1), x.offset.owner());
  x.rows = own;
  return x;
}

}  // namespace

void write_piece(const fs::path& folder, const PieceId& id, const Piece& piece) {
  write_graph_file(data_path(folder, id.rank), piece.data);
  TensorFile map{{{"node", to_tensor(piece.node)},
                  {"halo", to_tensor(piece.halo)},
                  {"halo_owner", to_tensor(piece.halo_owner)},
                  {"seen_by", to_tensor(piece.seen_by)}},
                 {{kMetadataKey, to_json(id).dump()}}};
  write_safetensors(map_path(folder, id.rank), map);
}

Piece read_piece(const fs::path& folder, const PieceId& id) {
  const fs::path path = map_path(folder, id.rank);
  const TensorFile map = read_safetensors(path);
  Piece piece;
  piece.data = read_graph_file(data_path(folder, id.rank));
  try {
    check_id(map, id);
    piece.node = list<NodeId>(map, "node");
    piece.halo = list<NodeId>(map, "halo");
    piece.halo_owner = list<int32_t>(map, "halo_owner");
    piece.seen_by = list<uint8_t>(map, "seen_by");
    check(piece, id);
  } catch (const Error& error) {
    fail(path.string(), ": ", error.what());
  }
  const auto own = std::ssize(piece.node);
  piece.data.features = own_rows(piece.data.features, own);
  piece.data.labels = piece.data.labels.narrow(0, 0, own);
  return piece;
}

bool has_piece(const fs::path& folder, int64_t rank) {
  return fs::exists(data_path(folder, rank)) || fs::exists(map_path(folder, rank));
}

void remove_piece(const fs::path& folder, int64_t rank) {
  remove_file(data_path(folder, rank));
  remove_file(map_path(folder, rank));
}

int64_t piece_bytes(const fs::path& folder, int64_t rank) {
  return static_cast<int64_t>(fs::file_size(data_path(folder, rank)) + fs::file_size(map_path(folder, rank)));
}

}  // namespace geniepath::partition
