// Scores of unseen nodes are those of the joined graph for every model, with oneDNN bit for bit.
#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "expect_error.h"
#include "kernels/cpu/matmul.h"
#include "small_models.h"

namespace geniepath {
namespace {

using namespace testing;

ModelConfig config_of(const std::string& name) {
  ModelConfig config;
  config.model = name;
  config.hidden = 16;
  config.depth = 2;
  return config;
}

// Some of the nodes of a data set, the last ones, taken out of its graph.
struct Torn {
  Torn(const Dataset& joined, NodeId unseen_nodes, bool directed) {
    const NodeId known = joined.graph.num_nodes() - unseen_nodes;
    std::vector<NodeId> rows(static_cast<size_t>(joined.graph.num_nodes())), source, target;
    std::iota(rows.begin(), rows.end(), 0);
    for (const NodeId to : rows) {
      for (const NodeId from : joined.graph.incoming().neighbours(to)) {
        if (std::max(from, to) >= known) {
          unseen.edges.emplace_back(from, to);
        } else {
          source.push_back(from), target.push_back(to);
        }
      }
    }
    data = joined;
    data.graph = Graph::from_edges(known, source, target);
    const std::span all(rows);
    data.features = joined.features.select_rows(all.first(static_cast<size_t>(known)));
    unseen.features = joined.features.select_rows(all.subspan(static_cast<size_t>(known)));
    unseen.directed = directed;
  }
  Dataset data;
  UnseenNodes unseen;
};

Dataset sparse_features(Dataset data) {
  const NodeId nodes = data.graph.num_nodes();
  std::vector<int64_t> offset{0};
  std::vector<int32_t> column;
  std::vector<float> value;
  for (NodeId n = 0; n < nodes; ++n) {
    for (const int32_t c : {n % 3, 3}) column.push_back(c), value.push_back(0.1f * static_cast<float>(n % 7 + 1));
    offset.push_back(std::ssize(column));
  }
  data.features = SparseMatrix{nodes, kFeatures, std::move(offset), std::move(column), std::move(value)};
  return data;
}

void expect_same_bits(const at::Tensor& found, const at::Tensor& expected) {
  if (kernels::cpu::has_matmul<float>()) {
    EXPECT_TRUE(at::equal(found, expected)) << (found - expected).abs().max();
  } else {  // LibTorch's products depend on the number of rows in the last bit
    EXPECT_TRUE(at::allclose(found, expected, 1e-4, 1e-6)) << (found - expected).abs().max();
  }
}

// Scored as unseen, the last nodes get what `predict` says of them as part of the graph.
void expect_same_bits(const Model& model, const Dataset& joined, NodeId unseen_nodes, bool directed) {
  const Torn torn(joined, unseen_nodes, directed);
  const at::Tensor expected = predict(model, joined).narrow(0, joined.graph.num_nodes() - unseen_nodes, unseen_nodes);
  expect_same_bits(score_unseen(model, torn.data, torn.unseen), expected);
}

TEST(Unseen, EveryModelScoresThemAsIfTheyHadAlwaysBeenThere) {
  for (const std::string name : {"geniepath", "geniepath-lazy", "mlp", "gcn", "gcn-mean", "chebyshev", "graphsage-mean",
                                 "graphsage-max", "graphsage-lstm", "gat"}) {
    const auto model = make_model(config_of(name), kFeatures, kClasses, 3);
    for (const Graph& graph : {both_ways(random_graph(40, 60, 3)), both_ways(random_graph(2500, 2800, 4)),
                               star_graph(30), both_ways(Graph::from_edges(3, {}, {})), both_ways(clique_chain(300))}) {
      for (const NodeId unseen_nodes : {1, 2}) {
        SCOPED_TRACE(name + ", " + std::to_string(graph.num_nodes()) + " nodes, " + std::to_string(unseen_nodes) +
                     " unseen");
        expect_same_bits(*model, data_on(graph), unseen_nodes, false);
        expect_same_bits(*model, sparse_features(data_on(graph)), unseen_nodes, false);
      }
    }
    SCOPED_TRACE(name + ", directed");
    expect_same_bits(*model, data_on(random_graph(400, 900, 5).with({})), 5, true);
  }
}

TEST(Unseen, ScoresOfABinaryTaskDoNotDependOnOtherNodes) {
  for (const char* name : {"geniepath", "geniepath-lazy", "gcn", "mlp"}) {
    SCOPED_TRACE(name);
    const auto model = make_model(config_of(name), kFeatures, 1, 3);
    for (const NodeId nodes : {37, 1033}) {
      Dataset data = data_on(both_ways(random_graph(nodes, nodes, 6)));
      data.task = Task::kBinary, data.num_classes = 2;
      expect_same_bits(*model, data, 3, false);
    }
  }
}

TEST(Unseen, AttendingVariantsToo) {
  for (const ModelConfig& config : attending_variants()) {
    SCOPED_TRACE(name_of(config));
    expect_same_bits(*sharp_model(config), data_on(both_ways(random_graph(600, 700, 7))), 4, false);
  }
}

// The states that an Explainer keeps of the forward pass give the same bits.
TEST(Unseen, AnExplainerScoresThemAlike) {
  for (const char* name : {"geniepath", "geniepath-lazy"}) {
    SCOPED_TRACE(name);
    const auto model = make_model(config_of(name), kFeatures, kClasses, 3);
    const Torn torn(data_on(both_ways(random_graph(900, 1000, 8))), 3, false);
    expect_same_bits(Explainer(model, torn.data).score(torn.unseen), score_unseen(*model, torn.data, torn.unseen));
  }
}

TEST(Unseen, AnEdgeOutsideIsAnError) {
  const Torn torn(data_on(star_graph(5)), 1, false);
  UnseenNodes unseen = torn.unseen;
  unseen.edges.emplace_back(0, 5);
  EXPECT_ERROR(score_unseen(*make_model(config_of("gcn"), kFeatures, kClasses, 3), torn.data, unseen), "edge 0 - 5");
}

}  // namespace
}  // namespace geniepath
