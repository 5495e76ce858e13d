// The differentiable operations the models are made of. Each is also registered as torch.ops.geniepath.<name>.
// f32 runs on the fused kernels, on the CPU or the GPU its tensors are on; f64 runs on the reference formulas (slow, on
// the CPU, for checking). They are called as ops::name, since ATen has names of its own alike. Arguments are checked
// here: a geniepath::Error names the operation, the argument, what was expected and found.
#pragma once

#include <ATen/core/Tensor.h>

#include <tuple>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/graph.h"
#include "geniepath/names.h"
#include "geniepath/sparse_matrix.h"

namespace geniepath GENIEPATH_EXPORT {

// How operands are held while products and gathered rows are summed in f32. kTf32 rounds a product's operands to 10 bits
// on the GPU (on the CPU it is kF32). kBf16 keeps about 3 digits: gathered rows take half the memory, and so do products
// where those of bf16 are the faster ones.
enum class Precision { kF32, kTf32, kBf16 };
template <>
inline constexpr auto kNames<Precision> =
    names<Precision>({{Precision::kF32, "f32"}, {Precision::kTf32, "tf32"}, {Precision::kBf16, "bf16"}});

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

// Which random mask to draw: a number, or a number that lies on a device, `uses` steps on, so that a step replayed from a
// CUDA graph can be given another.
struct MaskKey {
  MaskKey(uint64_t key);  // NOLINT(google-explicit-constructor)
  MaskKey(at::Tensor base_key, int64_t uses_of_it) : base(std::move(base_key)), uses(uses_of_it) {}

  uint64_t value() const;  // the number; waits for a GPU
  MaskKey to(at::Device device) const;

  at::Tensor base;  // int64 [1]
  int64_t uses = 0;
};

namespace ops {

// agg[i] = sum_j alpha_ij h[j], alpha_i = softmax_j v . tanh(a[i] + b[j])                  (paper, eq. "att-mech")
//   ab: [N, 2K], a beside b   h: [N, K]   v: [K]   ->   agg: [N, K]
// Softmax runs over the edges into i; a node without any gets zeros. No array of E x K exists, forward or backward.
at::Tensor edge_attention(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                          Precision precision = Precision::kF32);

// edge_attention(graph, h w, h, v): the projections W_s, W_d side by side in w [K, 2K], and what they are for. The
// gradients of h by both ways meet in one array.
at::Tensor projected_attention(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                               Precision precision = Precision::kF32);

// Rows of the first R of M nodes: row i lists the nodes that node i attends to.
struct NodeRows {
  at::Tensor offset;     // int64 [R + 1]
  at::Tensor neighbour;  // int32 [E], below M
  int64_t size() const { return offset.numel() - 1; }
};

struct AttentionRows {
  at::Tensor agg;    // [R, K]
  at::Tensor alpha;  // [E], by position in neighbour
};

// edge_attention of the R nodes, on the same kernel.   ab: [M, 2K]   h: [M, K]   v: [K]      Not differentiable.
AttentionRows edge_attention_rows(const NodeRows& rows, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                                  Precision precision = Precision::kF32);

// The alpha of edge_attention, [E] by position in in_neighbour. Not differentiable.
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

// Mean over all elements of -(w t log sigma(x) + (1 - t) log(1 - sigma(x))), the loss of labels that may hold together.
//   logits x, targets t: [N, L]   positive_weight w: [L], or undefined for ones   ->   a scalar
at::Tensor sigmoid_cross_entropy(const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& positive_weight = {});

// x with elements zeroed at `rate` and the rest scaled up. The mask is a function of key and position alone.
at::Tensor dropout(const at::Tensor& x, double rate, const MaskKey& key);
// The same on the entries of a sparse matrix: what the dense matrix's mask would keep. Not differentiable.
SparseTensors dropout(const SparseTensors& x, double rate, const MaskKey& key);

// out[i] = destination_scale[i] sum_j source_scale[j] h[j] over the edges (i <- j).   h: [N, K]   ->   [N, K]
// A scale is [N], or undefined for ones, and a constant: no gradient flows into it. Symmetric normalisation is
// d^(-1/2) on both sides, a mean is 1/d on the left.
at::Tensor neighbour_sum(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& destination_scale = {},
                         const at::Tensor& source_scale = {});

// out[i][k] = max over the edges (i <- j) of h[j][k]; 0 where there is none.   h: [N, K]   ->   [N, K]
// The gradient goes to the first neighbour that attains it. skip_self leaves the edge (i <- i) out.
at::Tensor neighbour_max(const GraphTensors& graph, const at::Tensor& h, bool skip_self = false);

struct GatOptions {
  double negative_slope = 0.2;  // of LeakyReLU
  double dropout = 0;           // of alpha, after the softmax
  MaskKey dropout_key = 0;
};

// out[i] = sum_j alpha_ij h[j], alpha_i = softmax_j LeakyReLU(dst[i] + src[j]), for each of H heads
//   dst, src: [N, H]   h: [N, H W], head beside head   ->   [N, H W]                       (Velickovic et al. 2018)
// Softmax runs over the edges into i; a node without any gets zeros. No array of E x K exists, forward or backward.
at::Tensor gat_attention(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                         const GatOptions& options = {});

// The alpha of the same without dropout, [E, H] by position in in_neighbour. Not differentiable.
at::Tensor gat_attention_weights(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src,
                                 double negative_slope = 0.2);

// Neighbours of every node in a random order, at most `most` of each, the node itself left out; for aggregators that
// read them one after the other. Nodes are sorted by how many they have, most first, so that step s reads the
// neighbours step[s] of the first step[s].numel() nodes of `order`. A function of the graph, `most` and key alone.
struct NeighbourSequences {
  at::Tensor order;              // int64 [N]: nodes
  at::Tensor place;              // int64 [N]: where each node stands in `order`
  std::vector<at::Tensor> step;  // int64 each, ever shorter
};
NeighbourSequences neighbour_sequences(const GraphTensors& graph, int64_t most, uint64_t key);

// The graph with at most `most` neighbours of every node, drawn at random where it has more; self-loops stay, and are not
// counted. A function of the graph, `most` and key alone.
GraphTensors sampled_neighbours(const GraphTensors& graph, int64_t most, uint64_t key);

}  // namespace ops
}  // namespace geniepath
