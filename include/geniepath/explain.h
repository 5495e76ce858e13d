// Receptive paths: why a node was scored as it was.
//
// A path v0 <- v1 <- ... <- vL begins at the explained node v0 and takes 1 to `hops` steps, each to another node; step s
// reads layer T - s + 1, so that what v(L) knew reaches v0 through the last L layers. Its product is that of the alpha
// along it. Attention that stays at a node (its self-loop) is shown beside it and is no step.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
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

// The paper's three levels of an edge's weight (figure "Graph Laplacian v.s. estimated receptive paths").
enum class Level { kGreen, kBlue, kRed };  // below 0.1, 0.1 to below 0.2, 0.2 and more
template <>
inline constexpr auto kNames<Level> =
    names<Level>({{Level::kGreen, "green"}, {Level::kBlue, "blue"}, {Level::kRed, "red"}});
Level level_of(double weight);

struct PathNode {
  NodeId node = 0;
  int64_t hop = 0;                // distance from the explained node
  double importance = 0;          // sum of the products of all paths that end here; 1 for the explained node
  std::vector<float> self_alpha;  // of layers 1 .. T
};

// target attends to source.
struct PathEdge {
  NodeId source = 0, target = 0;
  std::vector<float> alpha;  // of layers 1 .. T
  double laplacian = 0;      // 1 / sqrt(d_source d_target), d counting the node itself
  double best = 0;           // the largest product of a path that crosses it
  double total = 0;          // their sum; a path that crosses it twice counts twice
};

struct ReceptivePath {
  std::vector<NodeId> nodes;  // v0 first
  std::vector<float> alpha;   // by step
  double product = 0, laplacian = 0;
};

// One update of the node's memory: gates averaged over K, and what of the final memory C came in here. With
// c = (product of all later f) * i * C~, of which C is the sum: contribution c.C / C.C (these add up to 1), magnitude
// |c| over the sum of it for all updates.
struct GateProfile {
  int64_t hop = 0;
  double input = 0, forget = 0, output = 0, contribution = 0, magnitude = 0;
};

struct AttentionEntropy {
  int64_t layer = 0;
  double entropy = 0, uniform = 0;  // in nats; uniform: of attending evenly
};

// What the listed paths leave out of the neighbourhood.
struct Omitted {
  int64_t nodes = 0, edges = 0;
  double paths = 0, product = 0;  // a number of paths is exact up to 2^53
};

// Does the prediction rest on the listed paths? Probabilities, as predict() gives them, [outputs]. Edges are kept or
// dropped in what the nodes along the paths attend to, in every layer; the paths' ends and all others know what they knew.
struct Faithfulness {
  at::Tensor full;
  at::Tensor kept;     // drop-in: nothing but the edges of the listed paths, and every node itself
  at::Tensor dropped;  // drop-out: all but these edges
};

struct Explanation {
  NodeId node = 0;
  int64_t depth = 0, hops = 0, top = 0;  // T; hops as used, at most T
  double threshold = 0;
  std::vector<PathNode> nodes;        // the explained node first, then by hop and falling importance
  std::vector<PathEdge> edges;        // every edge of the listed paths once, by falling `best`
  std::vector<ReceptivePath> paths;   // by falling product
  std::vector<GateProfile> gates;     // first update first
  std::vector<AttentionEntropy> entropy;
  int64_t reached = 0;  // nodes that some path of product >= threshold ends at, and the node itself
  Omitted omitted;
  Faithfulness faithfulness;
};

// Nodes a graph has never seen, with features as the model takes them.
struct UnseenNodes {
  Features features;                              // [M, P]
  std::vector<std::pair<NodeId, NodeId>> edges;   // node N + m of an edge is unseen node m; both ways unless directed
  bool directed = false;                          // first -> second alone
};

// Whether a model attends to neighbours, and so has paths.
bool has_paths(const Model& model);

// A trained model, a graph, and everything the model computed on it: made once (one forward pass), then asked about any
// node. What it keeps is h^(0) .. h^(T-1) of every node and the alpha of every edge and layer; a question then touches the
// node's neighbourhood alone and gives what the model gives on the whole graph, to float rounding.
// All methods are safe to call from many threads.
class Explainer {
 public:
  // A model that does not attend to neighbours is an Error. `degree`, where given, are the nodes' degrees, themselves
  // counted, in a graph of which data.graph is a part.
  Explainer(std::shared_ptr<const Model> model, const Dataset& data, std::vector<int64_t> degree = {});
  ~Explainer();

  int64_t num_nodes() const;
  int64_t depth() const;  // T
  int64_t degree(NodeId node) const;        // distinct neighbours, itself not counted
  bool directed() const;                    // whether some edge goes one way only
  const at::Tensor& probabilities() const;  // of every node, as predict() gives them
  Explanation explain(NodeId node, const ExplainOptions& options) const;
  // Every edge (i <- j), i not j, with i at most hops - 1 steps from the node: by hop of i, then i and j.
  std::vector<PathEdge> edges(NodeId node, int64_t hops) const;
  std::vector<AttentionEntropy> entropy(NodeId node) const;
  // The gate profile of each of the nodes.
  std::vector<std::vector<GateProfile>> gates(std::span<const NodeId> nodes) const;
  // Probabilities of unseen nodes joined to the graph, [M, outputs]. The graph stays as it is.
  at::Tensor score(const UnseenNodes& unseen) const;

 private:
  class Impl;
  std::unique_ptr<const Impl> impl_;
};

// The part of a data set that a prediction depends on: all nodes from which `node` can be reached in at most `radius`
// steps, the rows of all but the outermost being whole. Where these are most of the graph, all of it, shared with `data`.
struct ReceptiveField {
  Dataset data;
  std::vector<NodeId> original;  // of each node of data
  std::vector<int64_t> degree;   // in the whole graph, itself counted
};
ReceptiveField receptive_field(const Dataset& data, std::span<const NodeId> nodes, int64_t radius);

}  // namespace geniepath
