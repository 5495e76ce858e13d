#include "partition/piece.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "base/large_array.h"

namespace geniepath::partition {
namespace {

constexpr NodeId kNowhere = -1;

// Numbers in the piece of the data set's nodes: own nodes first, then the halo.
struct Numbering {
  Numbering(const Dataset& data, std::span<const int32_t> owner, int32_t rank, Piece& piece)
      : place(static_cast<size_t>(data.graph.num_nodes()), kNowhere) {
    const auto is_own = [&](NodeId i) { return owner[static_cast<size_t>(i)] == rank; };
    std::vector<NodeId> border;
    for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
      if (is_own(i))
        (std::ranges::all_of(data.graph.incoming().neighbours(i), is_own) ? piece.node : border).push_back(i);
    }
    for (const NodeId i : border) {
      for (const NodeId j : data.graph.incoming().neighbours(i)) {
        if (NodeId& at = place[static_cast<size_t>(j)]; at == kNowhere && !is_own(j)) at = 0, piece.halo.push_back(j);
      }
    }
    piece.node.insert(piece.node.end(), border.begin(), border.end());
    for (size_t n = 0; n < piece.node.size(); ++n) place[static_cast<size_t>(piece.node[n])] = static_cast<NodeId>(n);
    std::ranges::sort(piece.halo, {}, [&](NodeId j) { return std::pair(owner[static_cast<size_t>(j)], j); });
    for (size_t n = 0; n < piece.halo.size(); ++n) {
      place[static_cast<size_t>(piece.halo[n])] = static_cast<NodeId>(piece.node.size() + n);
      piece.halo_owner.push_back(owner[static_cast<size_t>(piece.halo[n])]);
    }
  }
  std::vector<NodeId> place;
};

// An array in the memory that the options provide.
template <class T>
struct CutArray {
  CutArray(const CutOptions& options, int64_t count)
      : owner(options.memory ? options.memory(static_cast<size_t>(count) * sizeof(T))
                             : uninitialised_memory(static_cast<size_t>(count) * sizeof(T))),
        values(static_cast<T*>(owner.get()), static_cast<size_t>(count)) {}
  SharedArray<T> share() const { return {values, owner}; }
  at::Tensor tensor(at::IntArrayRef shape) const {
    return at::from_blob(
        values.data(), shape, [kept = owner](void*) {}, at::TensorOptions(c10::CppTypeToScalarType<T>::value));
  }
  std::shared_ptr<void> owner;
  std::span<T> values;
};

Graph rows_of(const Graph& graph, const Piece& piece, const std::vector<NodeId>& place, const CutOptions& options) {
  CutArray<EdgeId> offset(options, std::ssize(piece.node) + std::ssize(piece.halo) + 1);
  auto at = offset.values.begin();
  EdgeId end = *at++ = 0;
  for (const NodeId i : piece.node) *at++ = end += graph.incoming().degree(i);
  std::fill(at, offset.values.end(), end);
  CutArray<NodeId> neighbour(options, end);
  auto to = neighbour.values.begin();
  for (const NodeId i : piece.node) {
    const auto row = to;
    for (const NodeId j : graph.incoming().neighbours(i)) *to++ = place[static_cast<size_t>(j)];
    std::sort(row, to);
  }
  return Graph::from_incoming({offset.share(), neighbour.share()});
}

// visit(features of some nodes, number of the first) for all nodes, some at a time.
template <class Visit>
void for_features_of(const Features& features, std::span<const NodeId> nodes, const CutOptions& options,
                     const Visit& visit) {
  constexpr int64_t kMostRows = 1 << 14, kValues = 1 << 20;
  const int64_t stored = features.is_sparse() ? features.sparse().num_nonzeros() : features.dense().numel();
  const int64_t per_row = 1 + stored / std::max<int64_t>(1, features.num_nodes());
  const auto at_once = static_cast<size_t>(std::clamp<int64_t>(kValues / per_row, 1, kMostRows));
  for (size_t begin = 0; begin < nodes.size(); begin += at_once) {
    const Features some = features.select_rows(nodes.subspan(begin, std::min(at_once, nodes.size() - begin)));
    visit(options.values ? options.values(some) : some, static_cast<int64_t>(begin));
  }
}

Features dense_rows(const Features& features, std::span<const NodeId> nodes, int64_t blank, const CutOptions& options) {
  const int64_t rows = std::ssize(nodes) + blank, width = features.num_features();
  const CutArray<float> values(options, rows * width);
  for_features_of(features, nodes, options, [&](const Features& some, int64_t first) {
    const at::Tensor x = some.dense().contiguous();
    std::copy_n(x.data_ptr<float>(), x.numel(), values.values.begin() + first * width);
  });
  std::fill(values.values.begin() + std::ssize(nodes) * width, values.values.end(), 0.0f);
  return values.tensor({rows, width});
}

Features sparse_rows(const Features& features, std::span<const NodeId> nodes, int64_t blank,
                     const CutOptions& options) {
  const SparseMatrix& x = features.sparse();
  const CutArray<int64_t> offset(options, std::ssize(nodes) + blank + 1);
  auto at = offset.values.begin();
  int64_t end = *at++ = 0;
  for (const NodeId i : nodes) *at++ = end += x.offset[i + 1] - x.offset[i];
  std::fill(at, offset.values.end(), end);
  const CutArray<int32_t> column(options, end);
  const CutArray<float> value(options, end);
  for_features_of(features, nodes, options, [&](const Features& some, int64_t first) {
    const int64_t begin = offset.values[static_cast<size_t>(first)];
    std::ranges::copy(some.sparse().column, column.values.begin() + begin);
    std::ranges::copy(some.sparse().value, value.values.begin() + begin);
  });
  return SparseMatrix{std::ssize(nodes) + blank, x.columns, offset.share(), column.share(), value.share()};
}

template <class T>
at::Tensor label_rows(const at::Tensor& labels, std::span<const NodeId> nodes, int64_t blank, T unknown,
                      const CutOptions& options) {
  const at::Tensor from = labels.contiguous();
  auto shape = from.sizes().vec();
  shape[0] = std::ssize(nodes) + blank;
  const int64_t width = from.dim() == 2 ? from.size(1) : 1;
  const CutArray<T> rows(options, shape[0] * width);
  auto to = rows.values.begin();
  for (const NodeId i : nodes) to = std::copy_n(from.data_ptr<T>() + i * width, width, to);
  std::fill(to, rows.values.end(), unknown);
  return rows.tensor(shape);
}

at::Tensor label_rows(const Dataset& data, std::span<const NodeId> nodes, int64_t blank, const CutOptions& options) {
  if (data.task != Task::kMultiLabel) return label_rows<int64_t>(data.labels, nodes, blank, -1, options);
  return label_rows<float>(data.labels, nodes, blank, std::numeric_limits<float>::quiet_NaN(), options);
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

Piece cut_piece(const Dataset& data, std::span<const int32_t> owner, int32_t rank, const CutOptions& options) {
  Piece piece;
  const Numbering numbering(data, owner, rank, piece);
  piece.data.name = data.name;
  piece.data.task = data.task;
  piece.data.metric = data.metric;
  piece.data.num_classes = data.num_classes;
  piece.data.class_names = data.class_names;
  piece.data.inductive = data.inductive;
  piece.data.graph = rows_of(data.graph, piece, numbering.place, options);
  const int64_t blank = options.blank_halo ? std::ssize(piece.halo) : 0;
  piece.data.features =
      (data.features.is_sparse() ? sparse_rows : dense_rows)(data.features, piece.node, blank, options);
  piece.data.labels = label_rows(data, piece.node, blank, options);
  piece.data.train = own_of(data.train, numbering.place, piece.node.size());
  piece.data.valid = own_of(data.valid, numbering.place, piece.node.size());
  piece.data.test = own_of(data.test, numbering.place, piece.node.size());
  if (data.inductive) piece.seen_by = splits_that_see(data, piece);
  return piece;
}

}  // namespace geniepath::partition
