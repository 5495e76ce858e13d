#include "geniepath/ops.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kernels/cpu/edge_attention.h"
#include "kernels/reference/edge_attention.h"
#include "ops/checks.h"
#include "ops/matmul.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;

template <class S>
void run_fused(const NodeRows& rows, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
               const AttentionRows& out) {
  const at::Tensor pq = at::empty(ab.sizes(), h.scalar_type());
  const int threads = at::get_num_threads();
  cpu::run(cpu::ExpTwice<S>{ab.numel(), ab.data_ptr<float>(), static_cast<S*>(pq.data_ptr()), threads});
  cpu::run(cpu::EdgeAttentionForward<S>{rows_of(rows.offset, rows.neighbour), h.size(1),
                                        static_cast<const S*>(pq.data_ptr()), static_cast<const S*>(h.data_ptr()),
                                        v.data_ptr<float>(), out.agg.data_ptr<float>(), out.alpha.data_ptr<float>(),
                                        threads});
}

}  // namespace

AttentionRows edge_attention_rows(const NodeRows& rows, const at::Tensor& ab, const at::Tensor& h, const at::Tensor& v,
                                  Precision precision) {
  constexpr const char* kOp = "edge_attention_rows";
  check_matrix(kOp, "h", h, -1, -1, h);
  check_matrix(kOp, "ab", ab, h.size(0), 2 * h.size(1), h);
  check_vector(kOp, "v", v, h.size(1), h);
  if (h.size(0) < rows.size()) fail(kOp, ": h has ", h.size(0), " rows, but ", rows.size(), " nodes are asked for");
  const at::Tensor a_b = ab.detach().contiguous(), states = h.detach().contiguous(), weights = v.detach().contiguous();
  const AttentionRows out{at::empty({rows.size(), h.size(1)}, h.scalar_type()),
                          at::empty({rows.neighbour.numel()}, h.scalar_type())};
  if (h.scalar_type() == at::kDouble) {
    kernels::reference::edge_attention_forward<double>(rows_of(rows.offset, rows.neighbour), h.size(1),
                                                       a_b.data_ptr<double>(), states.data_ptr<double>(),
                                                       weights.data_ptr<double>(), out.agg.data_ptr<double>(),
                                                       out.alpha.data_ptr<double>());
  } else if (precision == Precision::kBf16) {
    run_fused<kernels::Bf16>(rows, a_b, as_stored(states, precision), weights, out);
  } else {
    run_fused<float>(rows, a_b, states, weights, out);
  }
  return out;
}

}  // namespace geniepath::ops
