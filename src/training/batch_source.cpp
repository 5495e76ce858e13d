#include "training/batch_source.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "base/even_shares.h"
#include "base/random.h"
#include "graph/clusters.h"
#include "training/memory_check.h"
#include "training/neighbour_sampler.h"

namespace geniepath::training {
namespace {

enum Stream : uint64_t { kSeedOrder = 2, kSampledNeighbours, kPacking, kStepOrder };  // step_batches.cpp has stream 1

int64_t divided_up(int64_t count, int64_t by) { return (count + by - 1) / by; }

// A graph whose node i is nodes[i], with those of its nodes that are trained on.
Batch batch_of(const Dataset& data, const std::vector<NodeId>& nodes, Adjacency incoming,
               const std::vector<NodeId>& rows) {
  std::vector<NodeId> trained;
  for (const NodeId row : rows) trained.push_back(nodes[static_cast<size_t>(row)]);
  return with_nodes(ModelInput(data.features.select_rows(nodes), Graph::from_incoming(std::move(incoming))), rows,
                    labels_of(data, trained));
}

// Training nodes in random order, a fixed number per step, each with a sampled neighbourhood.
class NeighbourBatches final : public BatchSource {
 public:
  NeighbourBatches(const Dataset& data, const TrainConfig& config, OneOf process)
      : data_(data),
        process_(process),
        seed_(static_cast<uint64_t>(config.seed)),
        per_step_(config.batch_size),
        sampler_(data.graph, parse_fan_out(config.fan_out, "fan-out"),
                 config.batch == BatchKind::kLabor ? Draw::kLabor : Draw::kUniform) {}

  int64_t steps_per_epoch() const override { return divided_up(std::ssize(data_.train), per_step_); }

  Batch make(int64_t epoch, int64_t step) override {
    shuffle_for(epoch);
    const int64_t first = step * per_step_, all = std::min(per_step_, std::ssize(order_) - first);
    const auto own = [&](int64_t rank) { return first + all * rank / process_.size; };
    const auto begin = static_cast<size_t>(own(process_.rank)),
               count = static_cast<size_t>(own(process_.rank + 1)) - begin;
    const RandomStream key{seed_, kSampledNeighbours, static_cast<uint64_t>(epoch), static_cast<uint64_t>(step)};
    Neighbourhood sampled = sampler_.sample(std::span(order_).subspan(begin, count), key.key());
    std::vector<NodeId> seeds(count);
    std::iota(seeds.begin(), seeds.end(), NodeId{0});
    return batch_of(data_, sampled.nodes, std::move(sampled.incoming), seeds);
  }

 private:
  void shuffle_for(int64_t epoch) {
    if (epoch == epoch_) return;
    epoch_ = epoch;
    order_ = data_.train;
    shuffle(order_, Random{seed_, kSeedOrder, static_cast<uint64_t>(epoch)});
  }

  const Dataset& data_;
  OneOf process_;
  uint64_t seed_;
  int64_t per_step_;
  NeighbourSampler sampler_;
  int64_t epoch_ = -1;
  std::vector<NodeId> order_;  // of the epoch
};

// Some nodes with all edges between them.
class InducedBatches {
 public:
  explicit InducedBatches(const Dataset& data)
      : data_(data), trained_(static_cast<size_t>(data.graph.num_nodes())), place_(trained_.size(), kNone) {
    for (const NodeId node : data.train) trained_[static_cast<size_t>(node)] = true;
  }

  bool is_trained(NodeId node) const { return trained_[static_cast<size_t>(node)]; }

  // Nodes must ascend.
  Batch make(const std::vector<NodeId>& nodes) {
    std::vector<NodeId> neighbour, rows;
    std::vector<EdgeId> offset{0};
    for (size_t i = 0; i < nodes.size(); ++i) {
      place_[static_cast<size_t>(nodes[i])] = static_cast<NodeId>(i);
      if (is_trained(nodes[i])) rows.push_back(static_cast<NodeId>(i));
    }
    for (const NodeId node : nodes) {
      for (const NodeId j : data_.graph.incoming().neighbours(node)) {
        if (const NodeId place = place_[static_cast<size_t>(j)]; place != kNone) neighbour.push_back(place);
      }
      offset.push_back(static_cast<EdgeId>(neighbour.size()));
    }
    for (const NodeId node : nodes) place_[static_cast<size_t>(node)] = kNone;
    return batch_of(data_, nodes, {std::move(offset), std::move(neighbour)}, rows);
  }

 private:
  static constexpr NodeId kNone = -1;
  const Dataset& data_;
  std::vector<bool> trained_;
  std::vector<NodeId> place_;  // of every node in the batch being made
};

// Groups of nodes: which node is in which, and the nodes of each, ascending.
class Groups {
 public:
  Groups(const std::vector<int32_t>& group_of, int64_t count)
      : begin_(static_cast<size_t>(count) + 1, 0), nodes_(group_of.size()) {
    for (const int32_t group : group_of) ++begin_[static_cast<size_t>(group) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<size_t> next(begin_.begin(), begin_.end() - 1);
    for (size_t node = 0; node < group_of.size(); ++node) {
      nodes_[next[static_cast<size_t>(group_of[node])]++] = static_cast<NodeId>(node);
    }
  }
  int64_t size() const { return std::ssize(begin_) - 1; }
  std::span<const NodeId> operator[](size_t group) const {
    return std::span(nodes_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }

 private:
  std::vector<size_t> begin_;
  std::vector<NodeId> nodes_;
};

using Step = std::vector<size_t>;  // groups

// Steps of whole groups, of those that have training nodes.
class GroupBatches : public BatchSource {
 public:
  GroupBatches(const Dataset& data, const TrainConfig& config, const std::vector<int32_t>& group_of, int64_t groups,
               OneOf process)
      : seed_(static_cast<uint64_t>(config.seed)), induced_(data), groups_(group_of, groups), process_(process) {
    for (size_t group = 0; group < static_cast<size_t>(groups); ++group) {
      if (std::ranges::any_of(groups_[group], [&](NodeId node) { return induced_.is_trained(node); })) {
        with_training_nodes_.push_back(group);
      }
    }
  }

  Batch make(int64_t epoch, int64_t step) override {
    std::vector<NodeId> nodes;
    for (const size_t group : own(groups_of(epoch, step)))
      nodes.insert(nodes.end(), groups_[group].begin(), groups_[group].end());
    std::sort(nodes.begin(), nodes.end());
    return induced_.make(nodes);
  }

 protected:
  virtual Step groups_of(int64_t epoch, int64_t step) const = 0;

  // 0 .. count-1 in the epoch's order.
  std::vector<size_t> order(int64_t epoch, size_t count) const {
    std::vector<size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), size_t{0});
    shuffle(numbers, Random{seed_, kStepOrder, static_cast<uint64_t>(epoch)});
    return numbers;
  }

  uint64_t seed_;
  InducedBatches induced_;
  Groups groups_;
  Step with_training_nodes_;

 private:
  Step own(const Step& step) const {
    if (process_.size == 1) return step;
    std::vector<int64_t> nodes;
    for (const size_t group : step) nodes.push_back(std::ssize(groups_[group]));
    const std::vector<int32_t> process = even_shares(nodes, process_.size);
    Step kept;
    for (size_t n = 0; n < step.size(); ++n) {
      if (process[n] == process_.rank) kept.push_back(step[n]);
    }
    return kept;
  }

  OneOf process_;
};

// Connected components, packed once into steps of at most node_budget nodes; a larger one is a step of its own. Exact:
// no edge is cut.
class ComponentBatches final : public GroupBatches {
 public:
  ComponentBatches(const Dataset& data, const TrainConfig& config, const std::vector<int32_t>& component_of,
                   OneOf process)
      : GroupBatches(data, config, component_of, 1 + *std::max_element(component_of.begin(), component_of.end()),
                     process) {
    shuffle(with_training_nodes_, Random{seed_, kPacking});
    int64_t room = 0;
    for (const size_t component : with_training_nodes_) {
      const auto nodes = std::ssize(groups_[component]);
      if (nodes > room) steps_.emplace_back(), room = config.node_budget;
      steps_.back().push_back(component);
      room -= nodes;
    }
  }

  int64_t steps_per_epoch() const override { return std::ssize(steps_); }

  int64_t largest_step(int64_t epoch) const override {
    const std::vector<size_t> numbers = order(epoch, steps_.size());
    const auto nodes = [&](size_t number) {
      int64_t count = 0;
      for (const size_t component : steps_[number]) count += std::ssize(groups_[component]);
      return count;
    };
    return std::ranges::max_element(numbers, {}, nodes) - numbers.begin();
  }

 private:
  Step groups_of(int64_t epoch, int64_t step) const override {
    return steps_[order(epoch, steps_.size())[static_cast<size_t>(step)]];
  }

  std::vector<Step> steps_;
};

// Clusters with few edges between them, several random ones per step (Chiang et al. 2019). Edges to other steps are
// cut.
class ClusterBatches final : public GroupBatches {
 public:
  static constexpr int64_t kPerStep = 8;
  static int64_t count(const Dataset& data, int64_t node_budget) {
    return std::clamp<int64_t>(divided_up(kPerStep * data.graph.num_nodes(), node_budget), 1, data.graph.num_nodes());
  }

  ClusterBatches(const Dataset& data, const TrainConfig& config, int64_t clusters, OneOf process)
      : GroupBatches(data, config, clusters_of(data.graph, clusters, static_cast<uint64_t>(config.seed)), clusters,
                     process) {}

  int64_t steps_per_epoch() const override { return divided_up(std::ssize(with_training_nodes_), kPerStep); }

 private:
  Step groups_of(int64_t epoch, int64_t step) const override {
    Step chosen;
    const std::vector<size_t> numbers = order(epoch, with_training_nodes_.size());
    const auto begin = static_cast<size_t>(step * kPerStep), end = std::min(begin + kPerStep, numbers.size());
    for (size_t n = begin; n < end; ++n) chosen.push_back(with_training_nodes_[numbers[n]]);
    return chosen;
  }
};

}  // namespace

std::unique_ptr<BatchSource> make_batch_source(const Dataset& data, const TrainConfig& config, OneOf process) {
  switch (config.batch) {
    case BatchKind::kComponents:
      return std::make_unique<ComponentBatches>(data, config, data.graph.components(), process);
    case BatchKind::kClusters:
      check_clusters_fit_memory(data.graph);
      return std::make_unique<ClusterBatches>(data, config, ClusterBatches::count(data, config.node_budget), process);
    default: return std::make_unique<NeighbourBatches>(data, config, process);
  }
}

}  // namespace geniepath::training
