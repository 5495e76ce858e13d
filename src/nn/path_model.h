// What a model that attends to its neighbours lets be seen of itself: its hops one at a time, for any nodes whose rows
// are at hand. The receptive paths of src/explain are read through this alone; a model that does not attend has none.
#pragma once

#include <cstdint>
#include <vector>

#include "geniepath/model.h"
#include "ops/edge_attention_rows.h"

namespace geniepath::nn {

// What one breadth function made of R nodes: h^(tmp) [R, K], and the weights alpha of their edges, by position in the rows.
struct BreadthRows {
  at::Tensor h_tmp, alpha;
};

// The gates of one update of the memory, each [R, K]:  C' = forget * C + input * candidate.
struct Gates {
  at::Tensor input, forget, output, candidate;
};

// The updates a node's memory went through, and what the output layer reads at the end, [R, K]. `hop` is how far what
// the update read had looked.
struct DepthTrace {
  struct Step {
    int64_t hop;
    Gates gates;
  };
  std::vector<Step> steps;
  at::Tensor representation;
};

// Hops are t = 1 .. T. Called without gradients and outside of training: nothing is dropped.
class PathModel {
 public:
  virtual ~PathModel() = default;
  virtual int64_t num_hops() const = 0;  // T
  // h^(0) of every node of the input, [N, K].
  virtual at::Tensor begin(const ModelInput& input) = 0;
  // h: h^(t-1) of the R nodes of `rows` and, behind them, of the nodes they attend to; h_0: of the same, or of the R
  // nodes alone.
  virtual BreadthRows breadth(int64_t t, const ops::NodeRows& rows, const at::Tensor& h, const at::Tensor& h_0) = 0;
  // h^(t) [R, K] of what breadth() made. `memory` is carried from hop to hop; undefined at first.
  virtual at::Tensor advance(int64_t t, const at::Tensor& h_tmp, at::Tensor& memory) = 0;
  // What the output layer reads, [R, K], of h^(1) .. h^(T).
  virtual at::Tensor finish(const at::Tensor& h_0, const std::vector<at::Tensor>& h) = 0;
  // The depth function over the h^(tmp) of all hops, T of [R, K].
  virtual DepthTrace depth(const at::Tensor& h_0, const std::vector<at::Tensor>& h_tmp) = 0;
};

}  // namespace geniepath::nn
