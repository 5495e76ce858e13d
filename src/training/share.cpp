#include "training/share.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "distributed/halo.h"
#include "geniepath/error.h"
#include "partition/owners.h"

namespace geniepath::training {
namespace {

std::vector<int32_t> agreed_owners(const Dataset& data, Group& group, uint64_t seed) {
  std::vector<int32_t> owner(static_cast<size_t>(data.graph.num_nodes()));
  if (group.is_first()) owner = partition::owners_of(data, group.size(), seed);
  group.copy_from_first(at::from_blob(owner.data(), {std::ssize(owner)}, at::kInt));
  return owner;
}

// The nodes of a piece that a split sees.
struct Chosen {
  Chosen(const partition::Piece& piece, Split split) : place(static_cast<size_t>(piece.data.graph.num_nodes()), kNone) {
    const size_t own = piece.node.size();
    const auto is_seen = [&](size_t i) {
      return piece.seen_by.empty() || (piece.seen_by[i] >> static_cast<int>(split) & 1) != 0;
    };
    for (size_t i = 0; i < place.size(); ++i) {
      if (!is_seen(i)) continue;
      place[i] = static_cast<NodeId>(rows.size() + wanted.size());
      if (i < own) {
        rows.push_back(static_cast<NodeId>(i)), node.push_back(piece.node[i]);
      } else {
        wanted.push_back(piece.halo[i - own]), owner.push_back(piece.halo_owner[i - own]);
      }
    }
  }

  // Their edges: none leads from a node that is not seen.
  Graph edges(const Graph& graph) const {
    if (rows.size() + wanted.size() == place.size()) return graph;
    std::vector<EdgeId> offset{0};
    std::vector<NodeId> neighbour;
    for (const NodeId i : rows) {
      for (const NodeId j : graph.incoming().neighbours(i)) neighbour.push_back(place[static_cast<size_t>(j)]);
      offset.push_back(std::ssize(neighbour));
    }
    offset.resize(offset.size() + wanted.size(), offset.back());
    return Graph::from_incoming({std::move(offset), std::move(neighbour)});
  }

  static constexpr NodeId kNone = -1;
  std::vector<NodeId> place;           // of the piece's nodes among those chosen
  std::vector<NodeId> rows;            // own ones
  std::vector<NodeId> node;            // their numbers in the data set
  std::vector<NodeId> wanted;          // the halo's numbers there
  std::vector<int32_t> owner;
};

// The graph with self-loops of its first `own` nodes; no edge leads into the others.
Graph with_own_loops(const Graph& graph, int64_t own) {
  const Adjacency all = graph.with({.self_loops = SelfLoops::kAdd}).incoming();
  const EdgeId end = all.offset[own];
  std::vector<EdgeId> offset(all.offset.begin(), all.offset.begin() + own + 1);
  offset.resize(static_cast<size_t>(all.offset.size()), end);
  return Graph::from_incoming(
      {std::move(offset), SharedArray<NodeId>(all.neighbour.span(0, end), all.neighbour.owner())});
}

// The number of first nodes that read no node from `own` on.
int64_t interior_of(const Graph& graph, int64_t own) {
  const auto reads_others = [&](NodeId i) {
    return std::ranges::any_of(graph.incoming().neighbours(i), [&](NodeId j) { return j >= own; });
  };
  int64_t interior = 0;
  while (interior < own && !reads_others(static_cast<NodeId>(interior))) ++interior;
  return interior;
}

}  // namespace

Share::Share(const Dataset& data) : whole_(&data), group_(distributed::alone()) { count_splits(); }

Share::Share(const Dataset& data, Group& group, uint64_t seed) : whole_(&data), group_(group) {
  if (!group.is_alone()) {
    const std::vector<int32_t> owner = agreed_owners(data, group, seed);
    piece_ = std::make_shared<partition::Piece>(partition::cut_piece(data, owner, static_cast<int32_t>(group.rank())));
  }
  count_splits();
}

Share::Share(partition::Piece piece, Group& group)
    : group_(group), piece_(std::make_shared<partition::Piece>(std::move(piece))) {
  count_splits();
}

const Dataset& Share::whole() const {
  if (whole_ == nullptr) {
    fail(data().name,
         ": this kind of batch is drawn from the whole graph, but each process has a piece of it; train with --batch "
         "whole, or without --partition");
  }
  return *whole_;
}

void Share::count_splits() {
  for (const Split split : {Split::kTrain, Split::kValid, Split::kTest}) {
    count_.push_back(static_cast<int64_t>(group_.sum(static_cast<double>(nodes(split).size()))));
  }
}

const std::vector<NodeId>& Share::nodes(Split split) const {
  switch (split) {
    case Split::kTrain: return data().train;
    case Split::kValid: return data().valid;
    case Split::kTest: break;
  }
  return data().test;
}

at::Tensor Share::all_labels(Split split) const { return group_.all_rows(labels_of(data(), nodes(split))); }

Batch Share::batch(Split split, InputUse use) const {
  return piece_ ? piece_batch(split, use) : split_batch(data(), nodes(split), use);
}

Batch Share::piece_batch(Split split, InputUse use) const {
  const Chosen chosen(*piece_, split);
  const auto halo = std::make_shared<distributed::Halo>(group_, chosen.node, chosen.wanted, chosen.owner);
  const Graph edges = with_own_loops(chosen.edges(piece_->data.graph), halo->own_nodes());
  GraphTensors graph(edges, use);
  graph.halo_nodes = halo->halo_nodes();
  graph.interior_nodes = interior_of(edges, halo->own_nodes());
  // Without a cut anywhere, nothing is fetched.
  if (group_.any(halo->halo_nodes() > 0)) graph.halo = halo;
  std::vector<NodeId> rows;
  for (const NodeId node : nodes(split)) rows.push_back(chosen.place[static_cast<size_t>(node)]);
  const Features& features = piece_->data.features;
  const bool all = chosen.rows.size() == piece_->node.size();
  return with_nodes(ModelInput(all ? features : features.select_rows(chosen.rows), std::move(graph), use), rows,
                    labels_of(data(), nodes(split)));
}

}  // namespace geniepath::training
