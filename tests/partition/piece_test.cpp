#include "partition/piece.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/even_shares.h"
#include "expect_error.h"
#include "partition/owners.h"
#include "training/small_data.h"

namespace geniepath::partition {
namespace {

TEST(EvenShares, GiveTheCostliestFirst) {
  const std::vector<int64_t> cost{1, 5, 3, 3};
  EXPECT_EQ(even_shares(cost, 2), (std::vector<int32_t>{0, 0, 1, 1}));
  EXPECT_EQ(even_shares(cost, 1), (std::vector<int32_t>{0, 0, 0, 0}));
  EXPECT_TRUE(even_shares({}, 3).empty());
}

TEST(Owners, KeepComponentsWhole) {
  const Dataset data = testing::ring_data(8, 20, false);
  const std::vector<int32_t> owner = owners_of(data, 4, 1);
  std::vector<int> nodes(4, 0);
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
    ++nodes[static_cast<size_t>(owner[static_cast<size_t>(i)])];
    for (const NodeId j : data.graph.incoming().neighbours(i))
      EXPECT_EQ(owner[static_cast<size_t>(i)], owner[static_cast<size_t>(j)]);
  }
  EXPECT_EQ(nodes, std::vector<int>(4, 40));
}

// Six rings of which one is for validation and one for testing: two processes have two rings of training nodes each.
TEST(Owners, DivideTrainingGraphsByThemselves) {
  const Dataset data = testing::ring_data(6, 20, true);
  const std::vector<int32_t> owner = owners_of(data, 2, 1);
  int first = 0;
  for (const NodeId node : data.train) first += owner[static_cast<size_t>(node)] == 0;
  EXPECT_EQ(first, 40);
}

TEST(Owners, OfFewerNodesThanProcesses) {
  const Dataset data = testing::ring_data(1, 2, false);
  EXPECT_EQ(owners_of(data, 5, 1), (std::vector<int32_t>{0, 1}));
}

// 0 to 9 in a ring, of which each reads the one before; 0 to 5 are one piece's.
TEST(Piece, NumbersItsInteriorFirst) {
  const Dataset data = testing::ring_data(1, 10, false);
  const std::vector<int32_t> owner{0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  const Piece piece = cut_piece(data, owner, 0);
  EXPECT_EQ(piece.node, (std::vector<NodeId>{1, 2, 3, 4, 5, 0}));
  EXPECT_EQ(piece.halo, (std::vector<NodeId>{9}));
  for (NodeId i = 0; i < 5; ++i) {
    for (const NodeId j : piece.data.graph.incoming().neighbours(i)) EXPECT_LT(j, 6);
  }
}

// Every edge is in the piece of its destination, from a node of the piece or of its halo.
TEST(Piece, HasEveryEdgeIntoItsNodes) {
  const Dataset data = testing::ring_data(2, 30, true);
  std::vector<int32_t> owner;
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) owner.push_back(i * 7 % 3);
  int64_t nodes = 0, edges = 0, train = 0;
  for (int32_t rank = 0; rank < 3; ++rank) {
    const Piece piece = cut_piece(data, owner, rank);
    const auto own = static_cast<NodeId>(piece.node.size());
    nodes += own, edges += piece.data.graph.num_edges(), train += std::ssize(piece.data.train);
    EXPECT_TRUE(std::ranges::is_sorted(piece.halo_owner));
    EXPECT_EQ(piece.data.graph.num_nodes(), own + static_cast<NodeId>(piece.halo.size()));
    EXPECT_EQ(piece.seen_by.size(), static_cast<size_t>(piece.data.graph.num_nodes()));
    const auto global = [&](NodeId local) {
      return local < own ? piece.node[static_cast<size_t>(local)] : piece.halo[static_cast<size_t>(local - own)];
    };
    for (NodeId i = 0; i < own; ++i) {
      std::set<NodeId> read;
      for (const NodeId j : piece.data.graph.incoming().neighbours(i)) read.insert(global(j));
      const auto expected = data.graph.incoming().neighbours(global(i));
      EXPECT_EQ(read, std::set<NodeId>(expected.begin(), expected.end()));
      EXPECT_TRUE(piece.data.features.dense()[i].equal(data.features.dense()[global(i)]));
      EXPECT_EQ(piece.data.labels[i].item<int64_t>(), data.labels[global(i)].item<int64_t>());
    }
    for (size_t n = 0; n < piece.halo.size(); ++n) {
      EXPECT_EQ(piece.halo_owner[n], owner[static_cast<size_t>(piece.halo[n])]);
      EXPECT_NE(piece.halo_owner[n], rank);
    }
  }
  EXPECT_EQ(nodes, data.graph.num_nodes());
  EXPECT_EQ(edges, data.graph.num_edges());
  EXPECT_EQ(train, std::ssize(data.train));
}

}  // namespace
}  // namespace geniepath::partition
