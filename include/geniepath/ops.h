// The models' building blocks: differentiable operations. f32 tensors use the fused kernels of their device, CPU or
// GPU; f64 tensors use the reference formulas (slow, CPU only, for checking). Bad arguments are an Error that names the
// operation, the argument, what was expected and what was found. Call them as ops::name, since ATen has functions of
// the same names. dropout, edge_attention, edge_attention_weights, gat_attention, gated_memory, linear, neighbour_max,
// neighbour_sum, projected_attention, sparse_linear and tanh are also registered as torch.ops.geniepath.NAME.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <tuple>
#include <vector>

#include "geniepath/export.h"
#include "geniepath/graph.h"
#include "geniepath/names.h"
#include "geniepath/sparse_matrix.h"

namespace geniepath::distributed {
class Halo;
}

namespace geniepath GENIEPATH_EXPORT {

// Precision of operands; sums are f32 throughout. kTf32 rounds the operands of products to 10 bits of mantissa on the
// GPU and equals kF32 on the CPU. kBf16 keeps about 3 digits and halves the memory of gathered rows, and of the
// operands of products wherever bf16 products are faster than f32 ones.
enum class Precision { kF32, kTf32, kBf16 };
template <>
inline constexpr auto kNames<Precision> =
    names<Precision>({{Precision::kF32, "f32"}, {Precision::kTf32, "tf32"}, {Precision::kBf16, "bf16"}});

// Rows too long for one group of GPU lanes, and the pieces they are split into. Undefined on the CPU.
struct LongRowTensors {
  at::Tensor piece_row;    // int32 [pieces]
  at::Tensor piece_begin;  // int64 [pieces]
  at::Tensor long_row;     // int32 [long rows]
  at::Tensor first_piece;  // int32 [long rows + 1]
};

// The purpose of an input. Inputs for prediction lack the transposes that gradients need.
enum class InputUse { kTraining, kPrediction };

// A graph as the input of operations. On the CPU the tensors share the graph's memory and keep it alive.
struct GraphTensors {
  GraphTensors() = default;  // undefined tensors
  explicit GraphTensors(const Graph& graph, InputUse use = InputUse::kTraining);
  // From the CPU to a GPU, or to the same device; else an Error. On a GPU, offsets and edge ids are int32 if they fit.
  GraphTensors to(at::Device device) const;

  at::Tensor in_offset;      // int64 [N + 1]: rows by destination
  at::Tensor in_neighbour;   // int32 [E]: sources
  at::Tensor out_offset;     // int64 [N + 1]: rows by source; these three are undefined for prediction
  at::Tensor out_neighbour;  // int32 [E]: destinations
  at::Tensor out_edge;       // int64 [E]: position of each of these edges in in_neighbour
  LongRowTensors in_long, out_long;
  // For a graph divided among processes: its last nodes belong to other processes. They have no edges into them and are
  // not counted in N; operations fetch their rows. The first nodes, the interior, read none of them. Null for a graph
  // of one process.
  std::shared_ptr<const distributed::Halo> halo;
  int64_t halo_nodes = 0, interior_nodes = 0;

  int64_t num_nodes() const { return in_offset.defined() ? in_offset.numel() - 1 - halo_nodes : 0; }
  int64_t num_edges() const { return in_neighbour.defined() ? in_neighbour.numel() : 0; }
};

// The tensors of a graph as torch.ops.geniepath.* take them: in_offset, in_neighbour, out_offset, out_neighbour,
// out_edge and, on a GPU, those of in_long and out_long. graph_of_tensors() is the inverse; it counts the
// tensors, but does not look into them.
std::vector<at::Tensor> tensors_of(const GraphTensors& graph);
GraphTensors graph_of_tensors(const std::vector<at::Tensor>& tensors);

// The graph of integers [2, E], sources above targets, as PyG has them. num_nodes -1: one more than the largest id.
Graph graph_from_edge_index(const at::Tensor& edge_index, int64_t num_nodes, const GraphOptions& options);
// The graph of rows by target: offset [N + 1], and the source of each edge [E], in any order within a row.
Graph graph_from_csr(const at::Tensor& offset, const at::Tensor& source, const GraphOptions& options);

// A sparse matrix and its transpose, the latter for gradients.
struct SparseTensors {
  SparseTensors() = default;
  explicit SparseTensors(const SparseMatrix& matrix, InputUse use = InputUse::kTraining);
  SparseTensors to(at::Device device) const;

  at::Tensor offset, column, value;                                   // by row
  at::Tensor transposed_offset, transposed_column, transposed_value;  // by column; for prediction only offsets, all 0
  LongRowTensors long_rows, transposed_long_rows;
  int64_t rows() const { return offset.numel() - 1; }
  int64_t columns() const { return transposed_offset.numel() - 1; }
};

enum class Activation { kNone, kTanh };

// Key of a random mask: a number, or a number in a device tensor, advanced by `uses` steps; changing the tensor changes
// the masks of a step that a CUDA graph replays.
struct MaskKey {
  MaskKey(uint64_t key);  // NOLINT(google-explicit-constructor)
  MaskKey(at::Tensor base_key, int64_t uses_of_it) : base(std::move(base_key)), uses(uses_of_it) {}

  uint64_t value() const;  // after `uses` steps; waits for a GPU
  MaskKey to(at::Device device) const;

  at::Tensor base;  // int64 [1]
  int64_t uses = 0;
};

namespace ops {

// agg[i] = sum_j alpha_ij h[j], alpha_i = softmax_j v . tanh(a[i] + b[j])                  (paper, eq. "att-mech")
//   ab: [N, 2K], a beside b   h: [N, K]   v: [K]   ->   agg: [N, K]
// The softmax runs over the edges into i; a node without any gets zeros. No E x K array exists, forward or backward.
at::Tensor edge_attention(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                          Precision precision = Precision::kF32);

// edge_attention(graph, h w, h, v), with the projections W_s and W_d side by side in w [K, 2K]. Fused: both gradients
// of h are summed in one array.
at::Tensor projected_attention(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                               Precision precision = Precision::kF32);

// Rows of the first R of M nodes: row i lists the nodes that node i attends to. Not checked.
struct NodeRows {
  at::Tensor offset;     // int64 [R + 1]
  at::Tensor neighbour;  // int32 [E], 0 .. M - 1
  int64_t size() const { return offset.numel() - 1; }
};

struct AttentionRows {
  at::Tensor agg;    // [R, K]
  at::Tensor alpha;  // [E], by position in neighbour
};

// edge_attention of the R nodes, on the same kernel.   ab: [M, 2K]   h: [M, K]   v: [K]      agg: differentiable on the
// CPU.
AttentionRows edge_attention_rows(const NodeRows& rows, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                                  Precision precision = Precision::kF32);

// The alpha of edge_attention, [E] by position in in_neighbour. Not differentiable.
at::Tensor edge_attention_weights(const GraphTensors& graph, const at::Tensor& ab, const at::Tensor& v);

// activation(x w + bias).   x: [N, P]   w: [P, K]   bias: [K] or undefined   ->   [N, K]
at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias = {},
                  Activation activation = Activation::kNone, Precision precision = Precision::kF32);

// Elementwise, for a matrix; the bits do not depend on the number of threads.
at::Tensor tanh(const at::Tensor& x);
at::Tensor sigmoid(const at::Tensor& x);

// x w for sparse x, which stays sparse, forward and backward.   x: [N, P]   w: [P, K]   ->   [N, K]
at::Tensor sparse_linear(const SparseTensors& x, const at::Tensor& w);

// The paper's gates over z = x, or over z = CONCAT(x, mu) if mu is defined:
//   i, f, o = sigmoid(z w_i), sigmoid(z w_f), sigmoid(z w_o)     c = tanh(z w_c)
//   memory' = f * memory + i * c     out = o * tanh(memory')
//   x, mu: [N, K]   w: [K or 2K, 4K], columns i f o c   bias: [4K] or undefined   memory: [N, K] or undefined (zeros)
// Returns (out, memory').
std::tuple<at::Tensor, at::Tensor> gated_memory(const at::Tensor& x, const at::Tensor& mu, const at::Tensor& w,
                                                const at::Tensor& bias, const at::Tensor& memory,
                                                Precision precision = Precision::kF32);

// Mean over all elements of -(w t log sigma(x) + (1 - t) log(1 - sigma(x))): the loss of independent labels.
//   logits x, targets t: [N, L]   positive_weight w: [L], or undefined for ones   ->   a scalar
at::Tensor sigmoid_cross_entropy(const at::Tensor& logits, const at::Tensor& targets,
                                 const at::Tensor& positive_weight = {});

// Zeroes elements with probability `rate`, divides the others by 1 - rate. The mask depends only on key and position.
at::Tensor dropout(const at::Tensor& x, double rate, const MaskKey& key);
// The same for the entries of a sparse matrix, with the dense matrix's mask. Not differentiable.
SparseTensors dropout(const SparseTensors& x, double rate, const MaskKey& key);

// out[i] = destination_scale[i] sum_j source_scale[j] h[j] over the edges (i <- j).   h: [N, K]   ->   [N, K]
// A scale is [N], or undefined for ones; it is a constant, without gradient. d^(-1/2) on both sides is the symmetric
// normalisation, 1/d on the left a mean.
at::Tensor neighbour_sum(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& destination_scale = {},
                         const at::Tensor& source_scale = {});

// out[i][k] = max over the edges (i <- j) of h[j][k]; 0 without edges.   h: [N, K]   ->   [N, K]
// The gradient goes to the first neighbour that attains the maximum. skip_self leaves out the edge (i <- i).
at::Tensor neighbour_max(const GraphTensors& graph, const at::Tensor& h, bool skip_self = false);

struct GatOptions {
  double negative_slope = 0.2;  // of LeakyReLU
  double dropout = 0;           // of alpha, after the softmax
  MaskKey dropout_key = 0;
};

// out[i] = sum_j alpha_ij h[j], alpha_i = softmax_j LeakyReLU(dst[i] + src[j]), per head of H
//   dst, src: [N, H]   h: [N, H W], heads side by side   ->   [N, H W]                     (Velickovic et al. 2018)
// The softmax runs over the edges into i; a node without any gets zeros. No E x K array exists, forward or backward.
at::Tensor gat_attention(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src, const at::Tensor& h,
                         const GatOptions& options = {});

// The alpha of gat_attention without dropout, [E, H] by position in in_neighbour. Not differentiable.
at::Tensor gat_attention_weights(const GraphTensors& graph, const at::Tensor& dst, const at::Tensor& src,
                                 double negative_slope = 0.2);

// The neighbours of every node other than itself in random order, at most `most` per node, for aggregators that read
// them one by one. Nodes are sorted by descending number of neighbours, so that step s reads the neighbours step[s] of
// the first step[s].numel() nodes of `order`. Depends only on the graph, `most` and key.
struct NeighbourSequences {
  at::Tensor order;              // int64 [N]: nodes
  at::Tensor place;              // int64 [N]: position of each node in `order`
  std::vector<at::Tensor> step;  // int64, never longer than the one before
};
NeighbourSequences neighbour_sequences(const GraphTensors& graph, int64_t most, uint64_t key);

// The graph with at most `most` neighbours per node, drawn at random where it has more; self-loops are kept and not
// counted. Depends only on the graph, `most` and key.
GraphTensors sampled_neighbours(const GraphTensors& graph, int64_t most, uint64_t key);

}  // namespace ops
}  // namespace geniepath
