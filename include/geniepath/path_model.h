// Introspection for models that attend: runs one hop for any subset of the nodes. Receptive paths, what-if scores and
// unseen nodes (explain.h) need nothing else of a model; one that does not attend has none of these.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/model.h"

namespace geniepath GENIEPATH_EXPORT {

// One breadth function on R nodes: h^(tmp) [R, K], and the weights alpha of their edges, by position in the rows.
struct BreadthRows {
  at::Tensor h_tmp, alpha;
};

// The gates of one update of the memory, each [R, K]:  C' = forget * C + input * candidate.
struct Gates {
  at::Tensor input, forget, output, candidate;
};

// The updates of a node's memory, and what the output layer reads in the end, [R, K]. `hop`: how far away the nodes lie
// that the update read from.
struct DepthTrace {
  struct Step {
    int64_t hop;
    Gates gates;
  };
  std::vector<Step> steps;
  at::Tensor representation;
};

// Hops are t = 1 .. T. A model derives from Model and from this; num_hops(), begin() and breadth() are enough for one
// without a memory.
class PathModel {
 public:
  virtual ~PathModel() = default;
  virtual int64_t num_hops() const = 0;  // T
  // h^(0) of every node of the input, [N, K].
  virtual at::Tensor begin(const ModelInput& input) const = 0;
  // h: h^(t-1) of the R nodes of `rows` and, behind them, of the nodes they attend to; h_0: of the same, or of the R
  // nodes alone.
  virtual BreadthRows breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) const = 0;
  // h^(t) [R, K] from breadth()'s h^(tmp). `memory` is carried from hop to hop; undefined at first.
  virtual at::Tensor advance(int64_t t, const at::Tensor& h_tmp, at::Tensor& memory) const;
  // What the output layer reads, [R, K], from h^(1) .. h^(T): by default the last.
  virtual at::Tensor finish(const at::Tensor& h_0, const std::vector<at::Tensor>& h) const;
  // The depth function over the h^(tmp) of all hops, T of [R, K]: by default one that keeps nothing but the last.
  virtual DepthTrace depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) const;
};

// Every node through all hops, with dropout between them, [N, K]: a represent() for models whose breadth() is
// differentiable.
at::Tensor run_hops(const PathModel& model, const ModelInput& input, double dropout, Pass& pass);

}  // namespace geniepath
