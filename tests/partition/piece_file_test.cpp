#include "partition/piece_file.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "io/safetensors.h"
#include "partition/owners.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath::partition {
namespace {

class PieceFile : public ::testing::Test {
 protected:
  PieceFile() : data_(testing::ring_data(2, 12, true)) {
    for (NodeId i = 0; i < data_.graph.num_nodes(); ++i) owner_.push_back(i / 4 % 2);
    piece_ = cut_piece(data_, owner_, 1);
    write_piece(scratch_.path(), id_, cut_piece(data_, owner_, 1, {.blank_halo = true}));
  }
  Piece read() const { return read_piece(scratch_.path(), id_); }
  // Writes the map again after a change.
  void change(const std::function<void(TensorFile&)>& how) {
    TensorFile map = read_safetensors(map_);
    for (auto& [_, tensor] : map.tensors) tensor = tensor.clone();
    how(map);
    write_safetensors(map_, map);
  }

  Dataset data_;
  std::vector<int32_t> owner_;
  Piece piece_;
  testing::ScratchFolder scratch_;
  const std::filesystem::path map_ = scratch_ / "piece-1-map.safetensors";
  const PieceId id_{"abc", 1, 2};
};

TEST_F(PieceFile, ReturnsThePiece) {
  const Piece piece = read();
  EXPECT_EQ(piece.node, piece_.node);
  EXPECT_EQ(piece.halo, piece_.halo);
  EXPECT_EQ(piece.halo_owner, piece_.halo_owner);
  EXPECT_EQ(piece.seen_by, piece_.seen_by);
  EXPECT_EQ(piece.data.train, piece_.data.train);
  EXPECT_TRUE(piece.data.labels.equal(piece_.data.labels));
  EXPECT_TRUE(piece.data.features.dense().equal(piece_.data.features.dense()));
  EXPECT_EQ(piece.data.graph.num_edges(), piece_.data.graph.num_edges());
  EXPECT_GT(piece_bytes(scratch_.path(), 1), 0);
}

TEST_F(PieceFile, ReturnsSparseFeatures) {
  const SparseMatrix x{3, 4, std::vector<int64_t>{0, 1, 1, 3}, std::vector<int32_t>{2, 0, 3},
                       std::vector<float>{1, 2, 3}};
  Dataset data = testing::ring_data(1, 3, false);
  data.features = Features(x);
  const std::vector<int32_t> owner{0, 0, 1};
  write_piece(scratch_.path(), {"sparse", 0, 2}, cut_piece(data, owner, 0, {.blank_halo = true}));
  const Piece piece = read_piece(scratch_.path(), {"sparse", 0, 2});
  EXPECT_EQ(piece.node, (std::vector<NodeId>{1, 0}));
  EXPECT_TRUE(piece.data.features.sparse().to_dense().equal(x.to_dense().narrow(0, 0, 2).flip(0)));
}

TEST_F(PieceFile, RefusesWhatIsMissingDamagedOrOfAnotherPartition) {
  EXPECT_ERROR(read_piece(scratch_.path(), {"abc", 0, 2}), "piece-0-map.safetensors");
  EXPECT_ERROR(read_piece(scratch_.path(), {"other", 1, 2}), "a piece with partition \"abc\", expected \"other\"");
  EXPECT_ERROR(read_piece(scratch_.path(), {"abc", 1, 3}), "a piece with pieces 2, expected 3");
  const std::string whole = read_text(scratch_ / "piece-1.safetensors");
  std::string damaged = whole;
  damaged[damaged.size() - 9] ^= 1;
  scratch_.write("piece-1.safetensors", damaged);
  EXPECT_ERROR(read(), "checksum");
}

TEST_F(PieceFile, RefusesNumbersThatMakeNoSense) {
  change([](TensorFile& map) { map.tensors["halo_owner"][0] = 1; });
  EXPECT_ERROR(read(), "halo_owner");
  change([](TensorFile& map) { map.tensors["halo_owner"][0] = 0, map.tensors["node"][0] = map.tensors["node"][1]; });
  EXPECT_ERROR(read(), "twice");
  change([](TensorFile& map) { map.tensors["node"] = map.tensors["node"].narrow(0, 1, 3).clone(); });
  EXPECT_ERROR(read(), "nodes in the graph");
  change([](TensorFile& map) { map.tensors["node"] = map.tensors["node"].to(at::kLong); });
  EXPECT_ERROR(read(), "array 'node'");
  change([](TensorFile& map) { map.tensors.erase("node"); });
  EXPECT_ERROR(read(), "no array 'node'");
}

}  // namespace
}  // namespace geniepath::partition
