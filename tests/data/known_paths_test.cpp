#include "data/known_paths/known_paths.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <map>
#include <set>

#include "data/fingerprint.h"
#include "data/formats/graph_file.h"
#include "expect_error.h"
#include "geniepath/data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

// A node's contents, as its features show them.
struct Shown {
  int32_t key = -1, looked_for = -1, value = -1;
  bool operator==(const Shown&) const = default;
};

Shown shown(const Dataset& data, const KnownPathsOptions& options, NodeId node) {
  const SparseMatrix& x = data.features.sparse();
  Shown found;
  for (int64_t at = x.offset[node]; at < x.offset[node + 1]; ++at) {
    EXPECT_EQ(x.value[at], 1);
    const int32_t column = x.column[at], keys = static_cast<int32_t>(options.keys);
    if (column < keys) {
      found.key = column;
    } else if (column < 2 * keys) {
      found.looked_for = column - keys;
    } else {
      found.value = column - 2 * keys;
    }
  }
  return found;
}

int64_t known_label(const Dataset& data, NodeId node) { return data.labels.data_ptr<int64_t>()[node]; }
size_t known_length(const Dataset& data, NodeId node) { return data.path_length[static_cast<size_t>(node)]; }

// The neighbour whose key the node looks for, by the features alone; -1 for an end.
NodeId next_node(const Dataset& data, const KnownPathsOptions& options, NodeId node) {
  const int32_t looked_for = shown(data, options, node).looked_for;
  if (looked_for < 0) return -1;
  for (const NodeId j : data.graph.incoming().neighbours(node)) {
    if (shown(data, options, j).key == looked_for) return j;
  }
  ADD_FAILURE() << "node " << node << " looks for key " << looked_for << ", which no neighbour has";
  return -1;
}

const std::vector<KnownPathsOptions>& worlds() {
  static const std::vector<KnownPathsOptions> all{
      {.nodes = 3000},
      {.nodes = 4, .steps = 1, .keys = 2, .values = 2},
      {.nodes = 21, .steps = 20, .keys = 2},
      {.nodes = 1003, .steps = 5, .keys = 7, .values = 3, .seed = 9},
      {.nodes = 2000, .steps = 100, .keys = 100, .values = 100},
      {.nodes = 1001, .steps = 4, .label_share = 0.3, .graphs = 7},
      {.nodes = 60, .graphs = 3}};
  return all;
}

template <class Check>
void for_each_world(const Check& check) {
  for (const KnownPathsOptions& options : worlds()) {
    SCOPED_TRACE(std::to_string(options.nodes) + " nodes");
    check(make_known_paths(options), options);
  }
}

TEST(KnownPaths, SaysWhatItIs) {
  for_each_world([](const Dataset& data, const KnownPathsOptions& options) {
    EXPECT_NO_THROW(data.validate());
    EXPECT_EQ(data.name, "known-paths");
    EXPECT_EQ(data.task, Task::kMultiClass);
    EXPECT_EQ(data.num_classes, options.values);
    EXPECT_EQ(data.graph.num_nodes(), options.nodes);
    EXPECT_EQ(data.graph.num_edges(), options.nodes * options.keys);
    EXPECT_EQ(data.graph.num_parts(), options.graphs);
    EXPECT_EQ(data.features.num_features(), 2 * options.keys + options.values);
    EXPECT_EQ(data.features.num_nonzeros(), 2 * options.nodes);
    EXPECT_EQ(data.inductive, options.graphs > 1);
  });
}

TEST(KnownPaths, EveryNodeHasOneNeighbourPerKeyAndNeverItself) {
  for_each_world([](const Dataset& data, const KnownPathsOptions& options) {
    for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
      std::set<int32_t> keys;
      for (const NodeId j : data.graph.incoming().neighbours(i)) {
        ASSERT_NE(i, j);
        keys.insert(shown(data, options, j).key);
      }
      ASSERT_EQ(std::ssize(keys), options.keys) << "node " << i;
      ASSERT_EQ(data.graph.incoming().degree(i), options.keys) << "node " << i;
    }
  });
}

TEST(KnownPaths, FollowingTheKeysReachesTheLabel) {
  for_each_world([](const Dataset& data, const KnownPathsOptions& options) {
    for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
      NodeId at = i;
      size_t steps = 0;
      for (NodeId next = next_node(data, options, at); next >= 0; next = next_node(data, options, at)) {
        ASSERT_TRUE(std::ranges::binary_search(data.true_edges, std::pair(next, at)));
        at = next;
        ASSERT_LE(++steps, static_cast<size_t>(options.steps));
      }
      ASSERT_EQ(steps, known_length(data, i)) << "node " << i;
      const int32_t value = shown(data, options, at).value;
      ASSERT_GE(value, 0);
      if (known_label(data, i) >= 0) {
        ASSERT_EQ(value, known_label(data, i)) << "node " << i;
      }
    }
  });
}

TEST(KnownPaths, HasOneTrueEdgePerNodeThatIsNoEnd) {
  for_each_world([](const Dataset& data, const KnownPathsOptions&) {
    std::set<NodeId> targets;
    for (const auto& [source, target] : data.true_edges) {
      EXPECT_EQ(known_length(data, source) + 1, known_length(data, target));
      EXPECT_TRUE(targets.insert(target).second);
    }
    const auto ends = std::ranges::count(data.path_length, 0);
    EXPECT_EQ(std::ssize(targets), data.graph.num_nodes() - ends);  // validate() says that they are edges
    EXPECT_GT(ends, 0);
  });
}

// By how many nodes the most frequent path length exceeds the rarest.
int64_t excess(const Dataset& data, int64_t steps, const std::vector<NodeId>& nodes) {
  std::vector<int64_t> count(static_cast<size_t>(steps) + 1);
  for (const NodeId node : nodes) ++count[known_length(data, node)];
  const auto [least, most] = std::ranges::minmax(count);
  return most - least;
}

TEST(KnownPaths, EveryLengthIsEquallyFrequent) {
  for_each_world([](const Dataset& data, const KnownPathsOptions& options) {
    std::vector<NodeId> labelled;
    for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
      if (known_label(data, i) >= 0) labelled.push_back(i);
    }
    EXPECT_NEAR(static_cast<double>(labelled.size()), options.label_share * static_cast<double>(options.nodes),
                static_cast<double>(options.graphs));
    for (const auto* nodes : {&data.train, &data.valid, &data.test, &std::as_const(labelled)}) {
      EXPECT_LE(excess(data, options.steps, *nodes), options.graphs);
    }
  });
}

TEST(KnownPaths, ValuesAndKeysAreEquallyLikely) {
  const KnownPathsOptions options{.nodes = 40000};
  const Dataset data = make_known_paths(options);
  std::map<int64_t, int> labels;
  std::map<int32_t, int> keys, looked_for;
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
    const Shown node = shown(data, options, i);
    ++labels[known_label(data, i)], ++keys[node.key], ++looked_for[node.looked_for];
  }
  EXPECT_EQ(labels.size(), 4u);
  for (const auto& [label, count] : labels) EXPECT_NEAR(count, 10000, 600) << label;
  EXPECT_EQ(keys.size(), 10u);
  for (const auto& [key, count] : keys) EXPECT_EQ(count, 4000) << key;
  EXPECT_EQ(looked_for[-1], 10000);  // ends
  looked_for.erase(-1);
  for (const auto& [key, count] : looked_for) EXPECT_NEAR(count, 3000, 250) << key;
}

TEST(KnownPaths, SplitsOneGraphByNodes) {
  const Dataset data = make_known_paths({.nodes = 3000});
  EXPECT_EQ(data.train.size(), 1500u);
  EXPECT_EQ(data.valid.size(), 750u);
  EXPECT_EQ(data.test.size(), 750u);
  const Dataset few = make_known_paths({.nodes = 3000, .label_share = 0.1});
  EXPECT_EQ(few.train.size(), 150u);
  EXPECT_EQ(few.valid.size(), 75u);
  EXPECT_EQ(few.test.size(), 75u);
}

TEST(KnownPaths, SplitsShareNoNode) {
  for_each_world([](const Dataset& data, const KnownPathsOptions&) {
    std::set<NodeId> seen;
    for (const auto* nodes : {&data.train, &data.valid, &data.test}) {
      EXPECT_FALSE(nodes->empty());
      EXPECT_TRUE(std::ranges::is_sorted(*nodes));
      seen.insert(nodes->begin(), nodes->end());
    }
    EXPECT_EQ(seen.size(), data.train.size() + data.valid.size() + data.test.size());
  });
}

TEST(KnownPaths, SplitsSeveralGraphsByGraph) {
  const auto graphs_of = [](const Dataset& data, const std::vector<NodeId>& nodes) {
    std::set<int64_t> graphs;
    for (const NodeId node : nodes) graphs.insert(data.graph.part_of(node));
    return graphs;
  };
  const auto check = [&](int64_t graphs, size_t train, size_t held_out) {
    const Dataset data = make_known_paths({.nodes = 50 * graphs, .graphs = graphs});
    std::set<int64_t> all;
    for (const auto* nodes : {&data.train, &data.valid, &data.test}) {
      const std::set<int64_t> found = graphs_of(data, *nodes);
      EXPECT_EQ(found.size(), nodes == &data.train ? train : held_out);
      all.insert(found.begin(), found.end());
    }
    EXPECT_EQ(all.size(), train + 2 * held_out);
  };
  check(3, 1, 1);
  check(4, 2, 1);
  check(24, 12, 6);
}

TEST(KnownPaths, NodeIdsTellNothing) {
  const Dataset data = make_known_paths({.nodes = 20000});
  for (const auto* nodes : {&data.train, &data.valid, &data.test}) {
    double sum = 0;
    for (const NodeId node : *nodes) sum += node;
    EXPECT_NEAR(sum / static_cast<double>(nodes->size()), 10000, 300);
  }
  double sum = 0;
  for (const auto& [_, target] : data.true_edges) sum += target;
  EXPECT_NEAR(sum / static_cast<double>(data.true_edges.size()), 10000, 200);
}

bool same_graph(const Dataset& a, const Dataset& b) {
  return std::ranges::equal(a.graph.incoming().neighbour, b.graph.incoming().neighbour);
}

bool same_world(const Dataset& a, const Dataset& b) {
  return same_graph(a, b) && a.labels.equal(b.labels) && a.train == b.train && a.valid == b.valid && a.test == b.test &&
         a.true_edges == b.true_edges && a.path_length == b.path_length;
}

TEST(KnownPaths, IsMadeOfItsOptionsOnly) {
  const KnownPathsOptions options{.nodes = 1000, .noise = 0.1, .label_share = 0.5, .graphs = 4, .seed = 7};
  const Dataset first = make_known_paths(options), again = make_known_paths(options);
  EXPECT_TRUE(same_world(first, again));
  EXPECT_TRUE(std::ranges::equal(first.features.sparse().column, again.features.sparse().column));
  KnownPathsOptions other = options;
  other.seed = 8;
  EXPECT_FALSE(same_graph(first, make_known_paths(other)));
}

TEST(KnownPaths, IsTheSameWorldOnEveryMachine) {
  EXPECT_EQ(fingerprint(make_known_paths({.nodes = 1000, .noise = 0.25})), "9d7c8ca8023e5b75");
}

TEST(KnownPaths, GraphsDiffer) {
  const Dataset data = make_known_paths({.nodes = 300, .graphs = 3});
  const Graph a = data.graph.part(0), b = data.graph.part(1);
  EXPECT_FALSE(std::ranges::equal(a.incoming().neighbour, b.incoming().neighbour));
}

TEST(KnownPaths, NoiseChangesTheStatedShareOfWhatIsShown) {
  KnownPathsOptions options{.nodes = 4000};
  const Dataset clean = make_known_paths(options);
  for (const double noise : {0.1, 0.5, 1.0}) {
    options.noise = noise;
    const Dataset noisy = make_known_paths(options);
    EXPECT_TRUE(same_world(clean, noisy));
    int64_t changed = 0, changed_ends = 0;
    for (NodeId i = 0; i < 4000; ++i) {
      const Shown before = shown(clean, options, i), after = shown(noisy, options, i);
      EXPECT_EQ(before.key, after.key);
      EXPECT_EQ(before.value < 0, after.value < 0);
      EXPECT_EQ(before.looked_for < 0, after.looked_for < 0);
      changed += before != after;
      changed_ends += before != after && before.value >= 0;
    }
    EXPECT_EQ(changed, static_cast<int64_t>(4000 * noise));
    EXPECT_NEAR(static_cast<double>(changed_ends), 1000 * noise, 80);
  }
}

TEST(KnownPaths, SaysWhatDoesNotFit) {
  EXPECT_ERROR(make_known_paths({.nodes = 19}),
               "known-paths: size: expected 20 to 10000000 for graphs = 1, keys = 10 and steps = 3, found 19");
  EXPECT_ERROR(make_known_paths({.nodes = 92, .steps = 30, .graphs = 3}), "size: expected 93 to");
  EXPECT_ERROR(make_known_paths({.nodes = 10'000'001}), "found 10000001");
  EXPECT_ERROR(make_known_paths({.graphs = 2}), "known-paths: graphs: expected 1, or 3 and more");
  EXPECT_ERROR(make_known_paths({.nodes = 1000, .label_share = 0.003}),
               "known-paths: label-share: expected at least 4 labelled nodes per graph, found 3 of 1000 at 0.003");
  EXPECT_ERROR(make_known_paths({.nodes = 100, .label_share = 0, .graphs = 4}), "at least 1 labelled");
}

TEST(KnownPaths, OptionsHaveBounds) {
  const auto load = [](const auto& change) {
    DataOptions options;
    options.data = "known-paths";
    change(options);
    return load_dataset(options);
  };
  EXPECT_ERROR(load([](DataOptions& o) { o.size = 0; }), "size: expected 1 to 2147483647, found 0");
  EXPECT_ERROR(load([](DataOptions& o) { o.size = 19; }), "known-paths: size: expected 20");
  EXPECT_ERROR(load([](DataOptions& o) { o.steps = 0; }), "steps: expected 1 to 100, found 0");
  EXPECT_ERROR(load([](DataOptions& o) { o.keys = 1; }), "keys: expected 2 to 100, found 1");
  EXPECT_ERROR(load([](DataOptions& o) { o.values = 101; }), "values: expected 2 to 100, found 101");
  EXPECT_ERROR(load([](DataOptions& o) { o.noise = 1.5; }), "noise: expected 0 to 1, found 1.5");
  EXPECT_ERROR(load([](DataOptions& o) { o.label_share = -1; }), "label-share: expected 0 to 1, found -1");
  EXPECT_ERROR(load([](DataOptions& o) { o.label_share = std::numeric_limits<double>::quiet_NaN(); }), "label-share");
  EXPECT_ERROR(load([](DataOptions& o) { o.graphs = 0; }), "graphs: expected 1 to 10000, found 0");
}

TEST(KnownPaths, IsLoadedByNameWithItsOptions) {
  DataOptions options;
  options.data = "known-paths";
  options.size = 2000, options.data_seed = 3, options.steps = 5, options.keys = 6, options.values = 3;
  options.noise = 0.2, options.label_share = 0.5, options.graphs = 8;
  const Dataset data = load_dataset(options);
  const Dataset made = make_known_paths({.nodes = 2000, .steps = 5, .keys = 6, .values = 3, .noise = 0.2,
                                         .label_share = 0.5, .graphs = 8, .seed = 3});
  EXPECT_TRUE(same_world(data, made));
  EXPECT_TRUE(std::ranges::equal(data.features.sparse().column, made.features.sparse().column));
  EXPECT_EQ(data.metric, "accuracy");
}

TEST(KnownPaths, ComesBackFromAGraphFile) {
  const testing::ScratchFolder folder;
  const Dataset data = make_known_paths({.nodes = 500, .graphs = 5});
  write_graph_file(folder / "g.safetensors", data);
  DataOptions options;
  options.data = folder / "g.safetensors";
  EXPECT_TRUE(same_world(load_dataset(options), data));
}

TEST(KnownPaths, IsMadeInNoTime) {
  const auto start = std::chrono::steady_clock::now();
  const Dataset data = make_known_paths({.nodes = 100000});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("100,000 nodes made in %.3f s\n", seconds);
  EXPECT_EQ(data.graph.num_edges(), 1000000);
  EXPECT_LT(seconds, 2);
}

}  // namespace
}  // namespace geniepath
