// Receptive paths: explanations of a node's score.
//
// A path v0 <- v1 <- ... <- vL begins at the explained node v0 and takes 1 to `hops` steps, each to another node. Step
// s reads layer T - s + 1, so the state of vL reaches v0 through the last L layers. The path's product is that of the
// alpha along it. A node's attention to itself (its self-loop) is listed with the node and is not a step.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "geniepath/dataset.h"
#include "geniepath/export.h"
#include "geniepath/model.h"
#include "geniepath/options.h"

namespace geniepath GENIEPATH_EXPORT {

struct ExplainOptions : Options {
  int64_t hops = 2;
  int64_t top = 50;
  double threshold = 0;

  void visit(OptionVisitor& options) override;
};

// Levels of an edge's weight in the paper's figure "Graph Laplacian v.s. estimated receptive paths".
enum class Level { kGreen, kBlue, kRed };  // below 0.1, 0.1 to below 0.2, 0.2 and more
template <>
inline constexpr auto kNames<Level> =
    names<Level>({{Level::kGreen, "green"}, {Level::kBlue, "blue"}, {Level::kRed, "red"}});
Level level_of(double weight);

struct PathNode {
  NodeId node = 0;
  int64_t hop = 0;                // distance from the explained node
  double importance = 0;          // sum of the products of all paths ending here; 1 for the explained node
  std::vector<float> self_alpha;  // of layers 1 .. T
};

// An edge along which `target` attends to `source`.
struct PathEdge {
  NodeId source = 0, target = 0;
  std::vector<float> alpha;  // of layers 1 .. T
  double laplacian = 0;      // 1 / sqrt(d_source d_target), where d counts the node itself
  double best = 0;           // largest product of a path that crosses it
  double total = 0;          // sum of these products; a path that crosses it twice counts twice
};

struct ReceptivePath {
  std::vector<NodeId> nodes;  // v0 first
  std::vector<float> alpha;   // per step
  double product = 0, laplacian = 0;  // of alpha, and of the edges' Laplacian weights
};

// One update of the node's memory: its gates, averaged over K, and its part in the final memory C. With c = (product of
// all later f) * i * C~, so that C is the sum of all c: contribution = c.C / C.C, which add up to 1 and may be
// negative; magnitude = |c| as a share of the sum of |c| over all updates (1-norms).
struct GateProfile {
  int64_t hop = 0;
  double input = 0, forget = 0, output = 0, contribution = 0, magnitude = 0;
};

struct AttentionEntropy {
  int64_t layer = 0;
  double entropy = 0, uniform = 0;  // in nats; uniform: that of even attention
};

// The part of the neighbourhood that the listed paths leave out.
struct Omitted {
  int64_t nodes = 0, edges = 0;
  double paths = 0, product = 0;  // `paths` is exact up to 2^53
};

// Whether the prediction rests on the listed paths: probabilities [outputs] as from predict(). Edges are kept or
// dropped among those that the nodes along the paths attend to, in every layer; the ends of the paths and all other
// nodes keep their states.
struct Faithfulness {
  at::Tensor full;
  at::Tensor kept;     // drop-in: only the edges of the listed paths and self-loops
  at::Tensor dropped;  // drop-out: all edges but those of the listed paths
};

struct Explanation {
  NodeId node = 0;
  int64_t depth = 0, hops = 0, top = 0;  // depth: T; hops: as used, at most T
  double threshold = 0;
  std::vector<PathNode> nodes;        // the explained node first, then by hop and descending importance
  std::vector<PathEdge> edges;        // every edge of the listed paths once, by descending `best`
  std::vector<ReceptivePath> paths;   // by descending product
  std::vector<GateProfile> gates;     // first update first
  std::vector<AttentionEntropy> entropy;
  int64_t reached = 0;  // nodes at the end of some path of product >= threshold, and the node itself
  Omitted omitted;
  Faithfulness faithfulness;
};

// Shares of the explanation's nodes and their features in a score, by integrated gradients (Sundararajan et al. 2017).
struct FeatureAttribution {
  at::Tensor values;               // f32 [n, P]; adds up to score - baseline - gap
  double score = 0, baseline = 0;  // the probability with the features given, and with those of the baseline
  double gap = 0;                  // left by numerical integration; at most 1e-3 in magnitude, unless the score jumps
};

using GraphEdge = std::pair<NodeId, NodeId>;  // source, target

// New nodes to join to a graph, with features prepared as the model's input (Predictor::prepare()).
struct UnseenNodes {
  Features features;             // [M, P]
  std::vector<GraphEdge> edges;  // N + m stands for unseen node m; both ways unless directed
  bool directed = false;         // first -> second only
};

// Probabilities of unseen nodes joined to the graph of prepared data, [M, outputs], by any model: those that predict()
// gives to the last M nodes of the joined graph, on the CPU with oneDNN bit for bit. Computes only what they depend on
// (Model::radius()).
at::Tensor score_unseen(const Model& model, const Dataset& data, const UnseenNodes& unseen);

// Whether the model has attention, and so receptive paths: whether it is a PathModel (path_model.h).
bool has_paths(const Model& model);

// A trained model with everything it computed on a graph. The constructor runs one forward pass and keeps h^(0) ..
// h^(T-1) of every node and the alpha of every edge and layer: 4 (N K + E) T bytes. A query then touches only the
// node's neighbourhood and gives the model's result on the whole graph, to float rounding. Methods that take nodes
// throw an Error for one outside the graph. All methods may be called from several threads at once.
class Explainer {
 public:
  // A model without attention is an Error. `data` is not needed after the constructor. `degree`, if given, has the
  // nodes' degrees, themselves counted, in a larger graph that data.graph is a part of (receptive_field()).
  Explainer(std::shared_ptr<const Model> model, const Dataset& data, std::vector<int64_t> degree = {});
  ~Explainer();

  int64_t num_nodes() const;
  int64_t depth() const;  // T
  int64_t degree(NodeId node) const;        // distinct neighbours other than itself
  bool directed() const;                    // whether some edge has no reverse
  const at::Tensor& probabilities() const;  // [N, outputs], as from predict()
  // The same with even attention: every node attends equally to all of its neighbours and itself, and the model's other
  // weights are unchanged. Takes one more forward pass.
  at::Tensor evenly_attended() const;
  Explanation explain(NodeId node, const ExplainOptions& options) const;
  // explain(node, options).faithfulness.dropped alone, which takes a fraction of the time. Unlike without(), it leaves
  // the states of nodes that are not along the paths as they are.
  at::Tensor without_paths(NodeId node, const ExplainOptions& options) const;
  // The probabilities of the node, [outputs], if it alone did not attend to these neighbours. All other nodes keep
  // their states. An Error if one of them is not a neighbour.
  at::Tensor without_neighbours(NodeId node, std::span<const NodeId> neighbours) const;
  // Which features decided the probability of one output: integrated gradients on the straight line from `baseline` to
  // `features`, both f32 [n, P], one row per node of the explanation, prepared as the model's input. All other nodes
  // keep their states, as in Faithfulness. For models whose breadth() is differentiable, as those of this library are.
  // An Error for other shapes, for more than 2^26 values, and for a model without gradients.
  FeatureAttribution attribute(const Explanation& explanation, const at::Tensor& features, const at::Tensor& baseline,
                               int64_t output) const;
  // All edges (i <- j), j other than i, with i at most hops - 1 steps from the node; by hop of i, then i, then j.
  std::vector<PathEdge> edges(NodeId node, int64_t hops) const;
  std::vector<AttentionEntropy> entropy(NodeId node) const;
  // One gate profile per node, each by update.
  std::vector<std::vector<GateProfile>> gates(std::span<const NodeId> nodes) const;
  // Probabilities of the node, [outputs], on the graph without these edges, or with no others. Self-loops stay. Exact:
  // the model's result on the changed graph. An Error if a pair is not an edge between two different nodes.
  at::Tensor without(NodeId node, std::span<const GraphEdge> edges) const;
  at::Tensor with_only(NodeId node, std::span<const GraphEdge> edges) const;
  // Probabilities of unseen nodes joined to the graph, [M, outputs]. The stored graph is unchanged.
  at::Tensor score(const UnseenNodes& unseen) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

// The part of a data set that predictions of `nodes` depend on: all nodes from which one of them can be reached in at
// most `radius` steps, with complete rows for all but the outermost. If that is more than half of the graph, the whole
// data set, sharing its arrays.
struct ReceptiveField {
  Dataset data;
  std::vector<NodeId> original;  // each node's number in the whole graph
  std::vector<int64_t> degree;   // in the whole graph, the node itself counted
};
ReceptiveField receptive_field(const Dataset& data, std::span<const NodeId> nodes, int64_t radius);

}  // namespace geniepath
