// Operations on a graph that is divided among processes (distributed/halo.h): they fetch the rows that others own, run
// on all rows, and keep the own ones. Those that take most of a hop's time compute, meanwhile, what they can without
// the rows that travel.
#pragma once

#include <ATen/Functions.h>
#include <ATen/core/Tensor.h>

#include <memory>

#include "distributed/halo.h"
#include "geniepath/ops.h"
#include "ops/autograd.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {

// The same edges as a graph by itself, with the halo's nodes as its last ones.
GraphTensors with_halo_nodes(const GraphTensors& graph);

// h [N, K] with the rows of the halo below, differentiable.
at::Tensor with_halo_rows(const GraphTensors& graph, const at::Tensor& h);

inline at::Tensor own_rows(const GraphTensors& graph, const at::Tensor& x) { return x.narrow(0, 0, graph.num_nodes()); }

// A divided graph as autograd keeps it: its rows in the list of tensors, and the rest as an opaque value.
struct DividedGraph {
  explicit DividedGraph(const GraphTensors& graph);
  DividedGraph(AutogradContext& context, const tensor_list& kept, size_t from);
  void keep(AutogradContext& context, tensor_list& kept) const;

  RowTensors in, out;
  std::shared_ptr<const distributed::Halo> halo;
  int64_t own = 0, others = 0, interior = 0;  // nodes; the interior: the first own ones, which read no row of others
};

// Own rows h and those of others below, [own + others, K], which compute(rows, first, last) reads to compute own rows:
// the interior while the others' travel, then the rest.
template <class Compute>
void while_rows_travel(const DividedGraph& graph, const at::Tensor& h, const Compute& compute) {
  const at::Tensor rows = at::empty({graph.own + graph.others, h.size(1)}, h.options());
  const auto arriving = graph.halo->start_fetch(h, rows.narrow(0, graph.own, graph.others));
  rows.narrow(0, 0, graph.own).copy_(h);
  compute(rows, 0, graph.interior);
  arriving->wait();
  compute(rows, graph.interior, graph.own);
}

// The gradient of own rows: compute(first, last) writes these rows of `all` [own + others, K], first those of others,
// and while they travel to their owners the own ones, to which what arrives is added.
template <class Compute>
at::Tensor while_gradients_travel(const DividedGraph& graph, const at::Tensor& all, const Compute& compute) {
  compute(graph.own, graph.own + graph.others);
  distributed::Halo::Returning returning = graph.halo->start_return(all.narrow(0, graph.own, graph.others));
  compute(0, graph.own);
  at::Tensor own = all.narrow(0, 0, graph.own);
  returning.finish(own);
  return own;
}

// projected_attention on a divided graph, by the CPU's kernels.
at::Tensor divided_attention(const GraphTensors& graph, const at::Tensor& h, const at::Tensor& w, const at::Tensor& v,
                             Precision precision);

}  // namespace geniepath::ops
