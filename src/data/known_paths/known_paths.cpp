#include "data/known_paths/known_paths.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <vector>

#include "data/draws.h"
#include "geniepath/error.h"

namespace geniepath::known_paths {
namespace {

// Purpose of a random stream; identifies it together with the seed and the number of the graph.
enum Purpose : uint64_t { kOrder, kKeys, kValues, kPaths, kNeighbours, kNoisy, kNoise };

int64_t share_of(double share, int64_t nodes) { return std::llround(share * static_cast<double>(nodes)); }

// One of the graphs. Its nodes are numbered in the order they are made; number i has the path length i % (steps + 1),
// so any stretch of numbers has every length equally often. In the data set, number i is the node ids[i].
class KnownGraph {
 public:
  KnownGraph(const KnownPathsOptions& options, int64_t graph, NodeId first, NodeId nodes)
      : options_(options),
        graph_(graph),
        keys_(static_cast<size_t>(options.keys)),
        lengths_(static_cast<size_t>(options.steps) + 1),
        ids_(shuffled_ids(nodes, Random{seed(), kOrder, number()})),
        label_(ids_.size()),
        next_(ids_.size()) {
    for (NodeId& id : ids_) id += first;
    deal_keys();
    lay_paths();
  }

  // The row of node n begins at n * keys.
  void write_neighbours(std::span<NodeId> rows) const {
    const RandomStream random{seed(), kNeighbours, number()};
    for (size_t i = 0; i < size(); ++i) {
      const auto row = rows.subspan(id(i) * keys_, keys_);
      for (size_t key = 0; key < keys_; ++key) row[key] = ids_[neighbour(i, key, random)];
      std::sort(row.begin(), row.end());
    }
  }

  // The columns of node n are at 2 n and 2 n + 1.
  void write_columns(std::span<int32_t> columns) const {
    const std::vector<bool> noisy = draw_noisy();
    const RandomStream random{seed(), kNoise, number()};
    for (size_t i = 0; i < size(); ++i) {
      const size_t choices = is_end(i) ? static_cast<size_t>(options_.values) : keys_;
      size_t shown = is_end(i) ? static_cast<size_t>(label_[i]) : key_[next_[i]];
      if (noisy[i]) shown = (shown + 1 + random.below(i, choices - 1)) % choices;
      columns[2 * id(i)] = static_cast<int32_t>(key_[i]);
      columns[2 * id(i) + 1] = static_cast<int32_t>((is_end(i) ? 2 : 1) * keys_ + shown);
    }
  }

  void write_truth(Dataset& data) const {
    for (size_t i = 0; i < size(); ++i) {
      data.path_length[id(i)] = static_cast<uint8_t>(length(i));
      if (!is_end(i)) data.true_edges.emplace_back(ids_[next_[i]], ids_[i]);
    }
  }

  void write_labels(std::span<int64_t> labels) const {
    const size_t count = labelled().size();
    for (size_t i = 0; i < count; ++i) labels[id(i)] = label_[i];
  }

  std::span<const NodeId> labelled() const {
    const int64_t nodes = share_of(options_.label_share, static_cast<int64_t>(size()));
    return std::span(ids_).first(static_cast<size_t>(nodes));
  }

 private:
  uint64_t seed() const { return static_cast<uint64_t>(options_.seed); }
  uint64_t number() const { return static_cast<uint64_t>(graph_); }
  size_t size() const { return ids_.size(); }
  size_t id(size_t i) const { return static_cast<size_t>(ids_[i]); }
  size_t length(size_t i) const { return i % lengths_; }
  bool is_end(size_t i) const { return length(i) == 0; }

  // Gives each key to equally many nodes, up to one.
  void deal_keys() {
    key_.resize(size());
    for (size_t i = 0; i < size(); ++i) key_[i] = static_cast<uint8_t>(i % keys_);
    shuffle(key_, Random{seed(), kKeys, number()});
    holders_.resize(keys_);
    for (size_t i = 0; i < size(); ++i) holders_[key_[i]].push_back(static_cast<uint32_t>(i));
  }

  // Shorter paths first, since a label comes from the next node.
  void lay_paths() {
    const RandomStream values{seed(), kValues, number()}, paths{seed(), kPaths, number()};
    for (size_t i = 0; i < size(); i += lengths_) {
      label_[i] = static_cast<int32_t>(values.below(i, static_cast<uint64_t>(options_.values)));
    }
    for (size_t length = 1; length < lengths_; ++length) {
      const size_t shorter = (size() - length) / lengths_ + 1;  // nodes of length - 1
      for (size_t i = length; i < size(); i += lengths_) {
        next_[i] = static_cast<uint32_t>(length - 1 + lengths_ * paths.below(i, shorter));
        label_[i] = label_[next_[i]];
      }
    }
  }

  // The next node of the path where it has the key, else any node that has it but i.
  size_t neighbour(size_t i, size_t key, const RandomStream& random) const {
    if (!is_end(i) && key == key_[next_[i]]) return next_[i];
    const std::vector<uint32_t>& holders = holders_[key];  // ascending
    const size_t own = key == key_[i] ? 1 : 0;
    const size_t at = random.below(i * keys_ + key, holders.size() - own);
    return own == 1 && holders[at] >= i ? holders[at + 1] : holders[at];
  }

  std::vector<bool> draw_noisy() const {
    std::vector<bool> noisy(size());
    const std::vector<NodeId> order = shuffled_ids(static_cast<NodeId>(size()), Random{seed(), kNoisy, number()});
    const auto count = static_cast<size_t>(share_of(options_.noise, static_cast<int64_t>(size())));
    for (const NodeId i : std::span(order).first(count)) noisy[static_cast<size_t>(i)] = true;
    return noisy;
  }

  const KnownPathsOptions& options_;
  int64_t graph_;
  size_t keys_;
  size_t lengths_;
  std::vector<NodeId> ids_;
  std::vector<int32_t> label_;
  std::vector<uint32_t> next_;  // on the path; unused for an end
  std::vector<uint8_t> key_;
  std::vector<std::vector<uint32_t>> holders_;  // of each key
};

void check(const KnownPathsOptions& options) {
  assert(options.steps >= 1 && options.steps <= 255 && options.keys >= 2 && options.keys <= 255 && options.values >= 2);
  if (options.graphs == 2) {
    fail("known-paths: graphs: expected 1, or 3 and more to train, validate and test on different ones, found 2");
  }
  const int64_t least = std::max(2 * options.keys, options.steps + 1) * options.graphs;
  if (options.nodes < least || options.nodes > kMostKnownPathsNodes) {
    fail("known-paths: size: expected ", least, " to ", kMostKnownPathsNodes, " for graphs = ", options.graphs,
         ", keys = ", options.keys, " and steps = ", options.steps, ", found ", options.nodes);
  }
  const int64_t fewest = options.graphs == 1 ? 4 : 1, smallest = options.nodes / options.graphs;
  if (const int64_t labelled = share_of(options.label_share, smallest); labelled < fewest) {
    fail("known-paths: label-share: expected at least ", fewest, " labelled nodes per graph, found ", labelled, " of ",
         smallest, " at ", options.label_share);
  }
}

std::vector<NodeId> part_begins(int64_t nodes, int64_t graphs) {
  std::vector<NodeId> begin;
  for (int64_t g = 0; g <= graphs; ++g) begin.push_back(static_cast<NodeId>(nodes * g / graphs));
  return begin;
}

// Offsets of rows that all have `width` entries.
std::vector<int64_t> offsets(int64_t rows, int64_t width) {
  std::vector<int64_t> offset(static_cast<size_t>(rows) + 1);
  for (size_t r = 0; r < offset.size(); ++r) offset[r] = static_cast<int64_t>(r) * width;
  return offset;
}

void append(std::vector<NodeId>& split, std::span<const NodeId> nodes) {
  split.insert(split.end(), nodes.begin(), nodes.end());
}

// A single graph by nodes, several by whole graphs.
void split(Dataset& data, std::span<const NodeId> labelled, int64_t graph, int64_t graphs) {
  if (graphs == 1) {
    const size_t half = labelled.size() / 2, quarter = labelled.size() / 4;
    append(data.train, labelled.first(half));
    append(data.valid, labelled.subspan(half, quarter));
    append(data.test, labelled.subspan(half + quarter));
    return;
  }
  const int64_t held_out = std::max<int64_t>(1, graphs / 4), training = graphs - 2 * held_out;
  append(graph < training ? data.train : graph < training + held_out ? data.valid : data.test, labelled);
}

Dataset make(const KnownPathsOptions& options) {
  const auto nodes = static_cast<size_t>(options.nodes);
  std::vector<NodeId> begin = part_begins(options.nodes, options.graphs);
  std::vector<NodeId> neighbour(nodes * static_cast<size_t>(options.keys));
  std::vector<int32_t> column(2 * nodes);
  Dataset data;
  data.labels = at::full({options.nodes}, -1, at::kLong);
  data.path_length.resize(nodes);
  for (int64_t g = 0; g < options.graphs; ++g) {
    const NodeId first = begin[static_cast<size_t>(g)];
    const KnownGraph graph(options, g, first, begin[static_cast<size_t>(g) + 1] - first);
    graph.write_neighbours(neighbour);
    graph.write_columns(column);
    graph.write_truth(data);
    graph.write_labels({data.labels.data_ptr<int64_t>(), nodes});
    split(data, graph.labelled(), g, options.graphs);
  }
  for (auto* nodes_of : {&data.train, &data.valid, &data.test}) std::sort(nodes_of->begin(), nodes_of->end());
  std::sort(data.true_edges.begin(), data.true_edges.end());
  data.graph = Graph::from_incoming({offsets(options.nodes, options.keys), std::move(neighbour)}, std::move(begin));
  data.features = SparseMatrix{options.nodes, 2 * options.keys + options.values, offsets(options.nodes, 2),
                               std::move(column), std::vector<float>(2 * nodes, 1.0f)};
  return data;
}

}  // namespace
}  // namespace geniepath::known_paths

namespace geniepath {

Dataset make_known_paths(const KnownPathsOptions& options) {
  known_paths::check(options);
  Dataset data = known_paths::make(options);
  data.name = "known-paths";
  data.num_classes = options.values;
  data.inductive = options.graphs > 1;
  return data;
}

}  // namespace geniepath
