#include "ops/pair_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "kernels/cpu/pair_loss.h"
#include "kernels/cpu/spmm.h"
#include "kernels/reference/pair_loss.h"
#include "kernels/reference/spmm.h"
#include "ops/checks.h"

namespace geniepath::ops {
namespace {

namespace cpu = kernels::cpu;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

struct Slopes {
  at::Tensor slope;  // one a pair
  at::Tensor loss;   // one a row
};

Slopes slopes_of(const at::Tensor& offset, const at::Tensor& column, const at::Tensor& weight, const at::Tensor& z) {
  const kernels::Rows rows = rows_of(offset, column);
  Slopes result{at::empty({column.numel()}, z.scalar_type()), at::empty({z.size(0)}, z.scalar_type())};
  if (z.scalar_type() == at::kDouble) {
    kernels::reference::pair_loss<double>(rows, weight.data_ptr<float>(), z.size(1), z.data_ptr<double>(),
                                          result.slope.data_ptr<double>(), result.loss.data_ptr<double>());
  } else {
    cpu::run(cpu::PairLoss{rows, weight.data_ptr<float>(), z.size(1), z.data_ptr<float>(),
                           result.slope.data_ptr<float>(), result.loss.data_ptr<float>(), at::get_num_threads()});
  }
  return result;
}

at::Tensor product(const at::Tensor& offset, const at::Tensor& column, const at::Tensor& value, const at::Tensor& z) {
  const kernels::Rows rows = rows_of(offset, column);
  at::Tensor out = at::empty_like(z);
  if (z.scalar_type() == at::kDouble) {
    kernels::reference::spmm<double, double>(rows, value.data_ptr<double>(), z.size(1), z.data_ptr<double>(),
                                             out.data_ptr<double>());
  } else {
    cpu::run(cpu::Spmm{rows, value.data_ptr<float>(), z.size(1), z.data_ptr<float>(), out.data_ptr<float>(),
                       at::get_num_threads()});
  }
  return out;
}

// One row after the other, so that the sum does not depend on the threads.
double sum_in_order(const at::Tensor& rows) {
  double sum = 0;
  const at::Tensor wide = rows.to(at::kDouble);
  for (int64_t r = 0; r < wide.numel(); ++r) sum += wide.data_ptr<double>()[r];
  return sum;
}

struct PairLoss : torch::autograd::Function<PairLoss> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const at::Tensor& offset,
                            const at::Tensor& column, const at::Tensor& weight, const at::Tensor& transposed_offset,
                            const at::Tensor& transposed_column, const at::Tensor& transposed_weight) {
    const Slopes slopes = slopes_of(offset, column, weight, z);
    context->save_for_backward({z, offset, column, slopes.slope, transposed_offset, transposed_column, transposed_weight});
    return at::scalar_tensor(sum_in_order(slopes.loss), z.options());
  }
  // z_u . z_v is the same for both ends of a pair, so the slopes of the transposed pairs are made anew, in their order.
  static tensor_list backward(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor& z = saved[0];
    const at::Tensor turned = slopes_of(saved[4], saved[5], saved[6], z).slope;
    const at::Tensor grad_z = product(saved[1], saved[2], saved[3], z) + product(saved[4], saved[5], turned, z);
    return {grad_z * grad_outputs[0], {}, {}, {}, {}, {}, {}};
  }
};

}  // namespace

at::Tensor pair_loss(const SparseTensors& pairs, const at::Tensor& z) {
  check_matrix("pair_loss", "z", z, pairs.rows(), -1, z);
  if (pairs.columns() != pairs.rows()) {
    fail("pair_loss: pairs of ", pairs.rows(), " with ", pairs.columns(), " nodes, expected as many");
  }
  return PairLoss::apply(z.contiguous(), pairs.offset, pairs.column, pairs.value, pairs.transposed_offset,
                         pairs.transposed_column, pairs.transposed_value);
}

}  // namespace geniepath::ops
