// The differentiable operations the models are made of. Each is also registered as torch.ops.geniepath.<name>.
// f32 runs on the fused kernels, on the CPU or the GPU its tensors are on; f64 runs on the reference formulas (slow, on
// the CPU, for checking). They are called as ops::name, since ATen has names of its own alike. Arguments are checked
// here: a geniepath::Error names the operation, the argument, what was expected and found.
#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>

#include "geniepath/dataset.h"
#include "geniepath/graph.h"

namespace geniepath {

// How operands are held while products and gathered rows are summed in f32. kTf32 rounds a product's operands to 10 bits
// on the GPU (on the CPU it is kF32); kBf16 halves time and memory at about 3 digits.
enum class Precision { kF32, kTf32, kBf16 };

// Rows too long for one group of a GPU's lanes, and the pieces they are cut into. Undefined on the CPU.
struct LongRowTensors {
  at::Tensor piece_row;    // int32 [pieces]
  at::Tensor piece_begin;  // int64 [pieces]
  at::Tensor long_row;     // int32 [long rows]
  at::Tensor first_piece;  // int32 [long rows + 1]
};

// A graph as the operations take it. On the CPU the tensors share the graph's memory.
struct GraphTensors {
  GraphTensors() = default;
  explicit GraphTensors(const Graph& graph);
  // On a GPU: offsets and edge ids become int32 where they fit.
  GraphTensors to(at::Device device) const;

  at::Tensor in_offset;      // int64 [N + 1]: rows by destination
  at::Tensor in_neighbour;   // int32 [E]: sources
  at::Tensor out_offset;     // int64 [N + 1]: rows by source
  at::Tensor out_neighbour;  // int32 [E]: destinations
  at::Tensor out_edge;       // int64 [E]: where each of these edges stands in in_neighbour
  LongRowTensors in_long, out_long;

  int64_t num_nodes() const { return in_offset.defined() ? in_offset.numel() - 1 : 0; }
  int64_t num_edges() const { return in_neighbour.defined() ? in_neighbour.numel() : 0; }
};

// A sparse matrix and its transpose, the latter for gradients.
struct SparseTensors {
  SparseTensors() = default;
  explicit SparseTensors(const SparseMatrix& matrix);
  SparseTensors to(at::Device device) const;

  at::Tensor offset, column, value;                                   // by row
  at::Tensor transposed_offset, transposed_column, transposed_value;  // by column
  LongRowTensors long_rows, transposed_long_rows;
  int64_t rows() const { return offset.numel() - 1; }
  int64_t columns() const { return transposed_offset.numel() - 1; }
};

enum class Activation { kNone, kTanh };

namespace ops {

// agg[i] = sum_j alpha_ij h[j], alpha_i = softmax_j v . tanh(a[i] + b[j])                  (paper, eq. "att-mech")
//   ab: [N, 2K], a beside b   h: [N, K]   v: [K]   ->   agg: [N, K]
// Softmax runs over the edges into i; a node without any gets zeros. No array of E x K exists, forward or backward.
at::Tensor edge_attention(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                          Precision precision = Precision::kF32);

// The alpha of the same, [E] by position in in_neighbour. Not differentiable.
at::Tensor edge_attention_weights(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& v);

// x w + bias, with tanh on top where asked for.   x: [N, P]   w: [P, K]   bias: [K] or undefined   ->   [N, K]
at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias = {},
                  Activation activation = Activation::kNone, Precision precision = Precision::kF32);

// x w for sparse x; never makes x dense, forward or backward.   x: [N, P]   w: [P, K]   ->   [N, K]
at::Tensor sparse_linear(const SparseTensors& x, const at::Tensor& w);

// The paper's gates over z = x, or z = CONCAT(x, mu) where mu is given:
//   i, f, o = sigmoid(z w_i), sigmoid(z w_f), sigmoid(z w_o)     c = tanh(z w_c)
//   memory' = f * memory + i * c     out = o * tanh(memory')
//   x, mu: [N, K]   w: [K or 2K, 4K], as i f o c   bias: [4K] or undefined   memory: [N, K] or undefined (zeros)
// Returns (out, memory').
std::tuple<at::Tensor, at::Tensor> gated_memory(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w,
                                                const at::Tensor& bias, const at::Tensor& memory,
                                                Precision precision = Precision::kF32);

// x with elements zeroed at `rate` and the rest scaled up. The mask is a function of key and position alone.
at::Tensor dropout(const at::Tensor& x, double rate, uint64_t key);
// The same with a key that lies where x does, int64 [1], taken `uses` steps on: what a captured GPU step can replay.
at::Tensor dropout(const at::Tensor& x, double rate, const at::Tensor& key, int64_t uses);

}  // namespace ops
}  // namespace geniepath
