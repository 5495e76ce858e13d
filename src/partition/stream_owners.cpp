#include "partition/stream_owners.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.h"
#include "partition/loads.h"
#include "partition/stream_clusters.h"

namespace geniepath::partition {
namespace {

constexpr int kFennelPasses = 10, kClusterPasses = 5, kMostPasses = 10;
constexpr double kFirstPrice = 0.25, kPriceGrowth = 1.3, kClusterPrice = 0.1;  // relative to Fennel's
constexpr double kClusterShare = 0.2;                                          // most of a piece in one cluster
constexpr double kWorthwhile = 0.99;  // passes end when one leaves more than this share of the edges cut before
constexpr int64_t kRowsPerTask = 1 << 14;
constexpr int32_t kNobody = -1;

class Stream {
 public:
  Stream(const Dataset& data, int64_t count) : graph_(data.graph), kinds_(data), count_(count), total_(kinds_.count()) {
    for (NodeId i = 0; i < graph_.num_nodes(); ++i) {
      Total& total = total_[kinds_.of(i)];
      total.work += work_of(graph_, i), total.entries += graph_.incoming().degree(i);
    }
    neighbours_.resize(static_cast<size_t>(count));
  }

  // Whole components; empty if that is uneven.
  std::vector<int32_t> by_components() const {
    const std::vector<NodeId> component = graph_.components();
    std::vector<int32_t> owner(component.size());
    for (size_t kind = 0; kind < kinds_.count(); ++kind) {
      if (!share_components(
              graph_, component, count_, [&](NodeId i) { return kinds_.of(i) == kind; }, owner))
        return {};
    }
    return owner;
  }

  // Equal work, in order of the nodes' numbers.
  std::vector<int32_t> by_ranges() const {
    std::vector<int64_t> before(kinds_.count(), 0);
    std::vector<int32_t> owner(static_cast<size_t>(graph_.num_nodes()));
    for (NodeId i = 0; i < graph_.num_nodes(); ++i) {
      const size_t kind = kinds_.of(i);
      const double share = static_cast<double>(before[kind]) / static_cast<double>(total_[kind].work);
      owner[static_cast<size_t>(i)] =
          static_cast<int32_t>(std::min(share * static_cast<double>(count_), static_cast<double>(count_ - 1)));
      before[kind] += work_of(graph_, i);
    }
    return owner;
  }

  // Clusters, the largest first, each placed as a node would be (pass). Empty if their graph is too large.
  std::vector<int32_t> by_clusters() const {
    const auto limit_of = [&](NodeId i) {
      return static_cast<int64_t>(kClusterShare * static_cast<double>(total_[kinds_.of(i)].work) /
                                  static_cast<double>(count_));
    };
    const StreamClusters clusters = stream_clusters(graph_, limit_of);
    const std::vector<ClusterEdge> edges = cluster_edges(graph_, clusters);
    if (edges.empty()) return {};
    std::vector<uint8_t> kind(clusters.work.size());
    for (NodeId i = 0; i < graph_.num_nodes(); ++i)
      kind[static_cast<size_t>(clusters.of_node[static_cast<size_t>(i)])] = static_cast<uint8_t>(kinds_.of(i));
    const std::vector<int32_t> of_cluster = packed(clusters, edges, kind);
    std::vector<int32_t> owner(clusters.of_node.size());
    for (size_t i = 0; i < owner.size(); ++i) owner[i] = of_cluster[static_cast<size_t>(clusters.of_node[i])];
    return owner;
  }

  // One pass at this multiple of Fennel's price; nodes without an owner get one.
  void pass(std::vector<int32_t>& owner, double price) {
    std::vector<Loads> loads = no_loads();
    price_ = price;
    for (NodeId i = 0; i < graph_.num_nodes(); ++i) {
      if (const int32_t piece = owner[static_cast<size_t>(i)]; piece != kNobody)
        loads[kinds_.of(i)].add(piece, work_of(graph_, i));
    }
    for (NodeId i = 0; i < graph_.num_nodes(); ++i) {
      Loads& load = loads[kinds_.of(i)];
      const int64_t work = work_of(graph_, i);
      int32_t& piece = owner[static_cast<size_t>(i)];
      if (piece != kNobody) load.add(piece, -work);
      piece = best(i, work, piece, load, owner);
      load.add(piece, work);
    }
  }

 private:
  std::vector<Loads> no_loads() const {
    std::vector<Loads> loads;
    for (const Total& total : total_) loads.emplace_back(count_, total);
    return loads;
  }

  std::vector<int32_t> packed(const StreamClusters& clusters, const std::vector<ClusterEdge>& edges,
                              const std::vector<uint8_t>& kind) const {
    std::vector<Loads> loads = no_loads();
    std::vector<int32_t> owner;
    std::vector<double> entries(static_cast<size_t>(count_));
    auto edge = edges.begin();
    for (size_t c = 0; c < clusters.work.size(); ++c) {
      std::ranges::fill(entries, 0.0);
      for (; edge != edges.end() && static_cast<size_t>(edge->large) == c; ++edge) {
        entries[static_cast<size_t>(owner[static_cast<size_t>(edge->small)])] +=
            0.5 * static_cast<double>(edge->entries);
      }
      Loads& load = loads[kind[c]];
      const auto value = [&](int32_t piece) {
        return entries[static_cast<size_t>(piece)] - load.price(piece, clusters.work[c]);
      };
      int32_t best = load.lightest();
      for (int32_t piece = 0; piece < count_; ++piece) {
        if (load.has_room(piece, clusters.work[c]) && value(piece) > value(best)) best = piece;
      }
      owner.push_back(best);
      load.add(best, clusters.work[c]);
    }
    return owner;
  }

  // The piece of the highest value among those with room; on ties the present one, then the first found.
  int32_t best(NodeId node, int64_t work, int32_t now, const Loads& load, const std::vector<int32_t>& owner) {
    for (const NodeId j : graph_.incoming().neighbours(node)) {
      const int32_t piece = owner[static_cast<size_t>(j)];
      if (piece != kNobody && j != node && neighbours_[static_cast<size_t>(piece)]++ == 0) touched_.push_back(piece);
    }
    int32_t best = load.lightest();
    double most = value(best, work, load);
    const auto consider = [&](int32_t piece) {
      if (const double here = value(piece, work, load); here > most && load.has_room(piece, work))
        best = piece, most = here;
    };
    for (const int32_t piece : touched_) consider(piece);
    if (now != kNobody && load.has_room(now, work) && value(now, work, load) >= most) best = now;
    for (const int32_t piece : touched_) neighbours_[static_cast<size_t>(piece)] = 0;
    touched_.clear();
    return best;
  }
  double value(int32_t piece, int64_t work, const Loads& load) const {
    return static_cast<double>(neighbours_[static_cast<size_t>(piece)]) - price_ * load.price(piece, work);
  }

  const Graph& graph_;
  Kinds kinds_;
  int64_t count_;
  double price_ = 1;                  // of this pass
  std::vector<Total> total_;          // per kind
  std::vector<int64_t> neighbours_;   // of the node at hand, per piece
  std::vector<int32_t> touched_;      // pieces with such neighbours
};

std::string cut_text(const Graph& graph, int64_t cut) {
  const double share = 100.0 * static_cast<double>(cut) / static_cast<double>(std::max<EdgeId>(1, graph.num_edges()));
  std::string text = std::to_string(share);
  return text.substr(0, text.find('.') + 2) + " % of the edges cut";
}

// The best division found so far.
class Best {
 public:
  Best(const Graph& graph, std::vector<int32_t> first)
      : owner(std::move(first)), cut(cut_entries(graph, owner)), graph_(graph) {}
  void compare(std::vector<int32_t> other) {
    const int64_t now = cut_entries(graph_, other);
    if (now < cut) owner = std::move(other), cut = now;
  }

  std::vector<int32_t> owner;
  int64_t cut;

 private:
  const Graph& graph_;
};

std::string number_of(int pass, int passes) {
  return "pass " + std::to_string(pass + 1) + " of " + std::to_string(passes);
}

std::vector<int32_t> placed_one_by_one(Stream& stream, size_t nodes, const Progress& say) {
  std::vector<int32_t> owner(nodes, kNobody);
  for (int pass = 0; pass < kFennelPasses; ++pass) {
    say("placing nodes: " + number_of(pass, kFennelPasses));
    stream.pass(owner, kFirstPrice * std::pow(kPriceGrowth, pass));
  }
  return owner;
}

// Empty if the clusters' graph is too large.
std::vector<int32_t> placed_by_clusters(Stream& stream, const Progress& say) {
  say("finding clusters");
  std::vector<int32_t> owner = stream.by_clusters();
  for (int pass = 0; pass < kClusterPasses && !owner.empty(); ++pass) {
    say("placing clusters: " + number_of(pass, kClusterPasses));
    stream.pass(owner, kClusterPrice);
  }
  return owner;
}

void move_while_it_helps(Stream& stream, const Graph& graph, Best& best, const Progress& say) {
  for (int pass = 1; pass <= kMostPasses; ++pass) {
    say("moving nodes: pass " + std::to_string(pass) + ", " + cut_text(graph, best.cut));
    const int64_t before = best.cut;
    std::vector<int32_t> moved = best.owner;
    stream.pass(moved, 0);
    best.compare(std::move(moved));
    if (static_cast<double>(best.cut) > kWorthwhile * static_cast<double>(before)) return;
  }
}

}  // namespace

int64_t cut_entries(const Graph& graph, const std::vector<int32_t>& owner) {
  std::atomic<int64_t> cut = 0;
  in_parallel(graph.num_nodes(), kRowsPerTask, [&](int64_t begin, int64_t end) {
    int64_t here = 0;
    for (auto i = static_cast<NodeId>(begin); i < end; ++i) {
      for (const NodeId j : graph.incoming().neighbours(i))
        here += owner[static_cast<size_t>(i)] != owner[static_cast<size_t>(j)];
    }
    cut += here;
  });
  return cut;
}

std::vector<int32_t> streamed_owners(const Dataset& data, int64_t count, const Progress& progress) {
  const Progress say = progress ? progress : Progress([](const std::string&) {});
  say("finding components");
  Stream stream(data, count);
  const Graph& graph = data.graph;
  if (std::vector<int32_t> whole = stream.by_components(); !whole.empty() || graph.num_nodes() == 0) return whole;
  Best best(graph, stream.by_ranges());
  best.compare(placed_one_by_one(stream, best.owner.size(), say));
  if (std::vector<int32_t> owner = placed_by_clusters(stream, say); !owner.empty()) best.compare(std::move(owner));
  move_while_it_helps(stream, graph, best, say);
  return best.owner;
}

}  // namespace geniepath::partition
