// Introspection for attention models: runs one hop for any subset of nodes. Receptive paths, what-if scores and scores
// of unseen nodes (explain.h) are computed through this interface alone; other models have none of them.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/model.h"

namespace geniepath GENIEPATH_EXPORT {

// Result of a breadth function for R nodes: h^(tmp) [R, K], and the alpha of their edges, [E] by position in the rows.
struct BreadthRows {
  at::Tensor h_tmp, alpha;
};

// Gates of one memory update, each [R, K]:  C' = forget * C + input * candidate.
struct Gates {
  at::Tensor input, forget, output, candidate;
};

// The memory updates of R nodes, and their representations at the end, the output layer's input: [R, K].
struct DepthTrace {
  struct Step {
    int64_t hop;  // distance of the nodes that the update reads
    Gates gates;
  };
  std::vector<Step> steps;
  at::Tensor representation;
};

// Derive from both Model and PathModel. Hops are t = 1 .. T. num_hops(), begin() and breadth() suffice for a model
// without memory. All methods must be safe to call from several threads at once.
class PathModel {
 public:
  virtual ~PathModel() = default;
  virtual int64_t num_hops() const = 0;  // T
  // h^(0) of the input's nodes, [N, K], from the features alone: the input's graph may be undefined.
  virtual at::Tensor begin(const ModelInput& input) const = 0;
  // h: h^(t-1), first of the R nodes of `rows`, then of the other nodes they attend to; h_0: h^(0) of the same nodes,
  // or of the R nodes only.
  virtual BreadthRows breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                              const at::Tensor& h_0) const = 0;
  // breadth()'s h^(tmp) if every node attended equally to all nodes of its row. By default each row is replaced by a
  // single node with the mean of its states, which is exact where attention sums the states themselves.
  virtual at::Tensor even_breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h,
                                  const at::Tensor& h_0) const;
  // h^(t) [R, K] from breadth()'s h^(tmp): by default equal. `memory` is passed from hop to hop; undefined at first.
  virtual at::Tensor advance(int64_t t, const at::Tensor& h_tmp, at::Tensor& memory) const;
  // The output layer's input, [R, K], from h^(1) .. h^(T): by default the last.
  virtual at::Tensor finish(const at::Tensor& h_0, const std::vector<at::Tensor>& h) const;
  // The depth function over the h^(tmp) of all T hops, each [R, K]: by default one update that replaces the memory.
  virtual DepthTrace depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const;
};

// Runs all hops for every node, with dropout between them; returns [N, K]. Implements Model::represent() for models
// whose breadth() is differentiable.
at::Tensor run_hops(const PathModel& model, const ModelInput& input, double dropout, Pass& pass);

}  // namespace geniepath
