#include "partition/piece.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace geniepath::partition {
namespace {

constexpr NodeId kNowhere = -1;

// Numbers in the piece of the data set's nodes: own nodes first, then the halo.
struct Numbering {
  Numbering(const Dataset& data, std::span<const int32_t> owner, int32_t rank, Piece& piece)
      : place(static_cast<size_t>(data.graph.num_nodes()), kNowhere) {
    for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
      if (owner[static_cast<size_t>(i)] == rank) place[static_cast<size_t>(i)] = static_cast<NodeId>(piece.node.size()), piece.node.push_back(i);
    }
    for (const NodeId i : piece.node) {
      for (const NodeId j : data.graph.incoming().neighbours(i)) {
        if (NodeId& at = place[static_cast<size_t>(j)]; at == kNowhere) at = 0, piece.halo.push_back(j);
      }
    }
    std::ranges::sort(piece.halo, {}, [&](NodeId j) { return std::pair(owner[static_cast<size_t>(j)], j); });
    for (size_t n = 0; n < piece.halo.size(); ++n) {
      place[static_cast<size_t>(piece.halo[n])] = static_cast<NodeId>(piece.node.size() + n);
      piece.halo_owner.push_back(owner[static_cast<size_t>(piece.halo[n])]);
    }
  }
  std::vector<NodeId> place;
};

Graph rows_of(const Graph& graph, const Piece& piece, const std::vector<NodeId>& place) {
  std::vector<EdgeId> offset{0};
  std::vector<NodeId> neighbour;
  for (const NodeId i : piece.node) {
    const auto begin = static_cast<std::ptrdiff_t>(neighbour.size());
    for (const NodeId j : graph.incoming().neighbours(i)) neighbour.push_back(place[static_cast<size_t>(j)]);
    std::sort(neighbour.begin() + begin, neighbour.end());
    offset.push_back(std::ssize(neighbour));
  }
  offset.resize(offset.size() + piece.halo.size(), offset.back());
  return Graph::from_incoming({std::move(offset), std::move(neighbour)});
}

std::vector<NodeId> own_of(const std::vector<NodeId>& nodes, const std::vector<NodeId>& place, size_t own) {
  std::vector<NodeId> kept;
  for (const NodeId node : nodes) {
    const NodeId at = place[static_cast<size_t>(node)];
    if (at != kNowhere && static_cast<size_t>(at) < own) kept.push_back(at);
  }
  std::ranges::sort(kept);
  return kept;
}

std::vector<uint8_t> splits_that_see(const Dataset& data, const Piece& piece) {
  std::vector<uint8_t> of_part(static_cast<size_t>(data.graph.num_parts()), 0), of_node;
  uint8_t bit = 1;
  for (const std::vector<NodeId>* split : {&data.train, &data.valid, &data.test}) {
    for (const NodeId node : *split) of_part[static_cast<size_t>(data.graph.part_of(node))] |= bit;
    bit = static_cast<uint8_t>(bit << 1);
  }
  for (const std::vector<NodeId>* nodes : {&piece.node, &piece.halo}) {
    for (const NodeId node : *nodes) of_node.push_back(of_part[static_cast<size_t>(data.graph.part_of(node))]);
  }
  return of_node;
}

}  // namespace

Piece cut_piece(const Dataset& data, std::span<const int32_t> owner, int32_t rank) {
  Piece piece;
  const Numbering numbering(data, owner, rank, piece);
  piece.data.name = data.name;
  piece.data.task = data.task;
  piece.data.metric = data.metric;
  piece.data.num_classes = data.num_classes;
  piece.data.class_names = data.class_names;
  piece.data.inductive = data.inductive;
  piece.data.graph = rows_of(data.graph, piece, numbering.place);
  piece.data.features = data.features.select_rows(piece.node);
  piece.data.labels = data.labels.index_select(0, at::tensor(piece.node, at::kLong));
  piece.data.train = own_of(data.train, numbering.place, piece.node.size());
  piece.data.valid = own_of(data.valid, numbering.place, piece.node.size());
  piece.data.test = own_of(data.test, numbering.place, piece.node.size());
  if (data.inductive) piece.seen_by = splits_that_see(data, piece);
  return piece;
}

}  // namespace geniepath::partition
