#include "ops/pair_loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "kernels/cpu/pair_loss.h"
#include "kernels/reference/pair_loss.h"
#include "ops/autograd.h"
#include "ops/backend.h"
#include "ops/checks.h"
#include "ops/index_tensors.h"
#include "ops/spmm.h"

namespace geniepath::ops {
namespace {

struct Slopes {
  at::Tensor slope;  // per pair
  at::Tensor loss;   // per row
};

Slopes slopes_of(const RowTensors& pairs, const at::Tensor& weight, const at::Tensor& z) {
  const Slopes result{at::empty({pairs.entries()}, z.scalar_type()), at::empty({z.size(0)}, z.scalar_type())};
  const auto reference = [&] {
    kernels::reference::pair_loss<double>(cpu_rows(pairs), weight.data_ptr<float>(), z.size(1), z.data_ptr<double>(),
                                          result.slope.data_ptr<double>(), result.loss.data_ptr<double>());
  };
  const auto on_cpu = [&] {
    cpu::run(cpu::PairLoss{cpu_rows(pairs), weight.data_ptr<float>(), z.size(1), z.data_ptr<float>(),
                           result.slope.data_ptr<float>(), result.loss.data_ptr<float>(), at::get_num_threads()});
  };
  const auto on_gpu = [&] { fail("pair_loss: z is on ", z.device().str(), ", expected cpu"); };
  dispatch(z, reference, on_cpu, on_gpu);
  return result;
}

// Sums in order of rows, so that the bits do not depend on the number of threads.
double sum_in_order(const at::Tensor& rows) {
  double sum = 0;
  const at::Tensor wide = rows.to(at::kDouble);
  for (int64_t r = 0; r < wide.numel(); ++r) sum += wide.data_ptr<double>()[r];
  return sum;
}

struct PairLoss : OnceDifferentiable<PairLoss> {
  static constexpr const char* kName = "pair_loss";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& z, const SparseTensors& pairs) {
    const Slopes slopes = slopes_of(rows_of(pairs), pairs.value, z);
    tensor_list kept{z, slopes.slope, pairs.transposed_value};
    append(kept, rows_of(pairs));
    append(kept, transposed_rows_of(pairs));
    context->save_for_backward(kept);
    return at::scalar_tensor(sum_in_order(slopes.loss), z.options());
  }
  // z_u . z_v is symmetric, so the slopes of the transposed pairs are recomputed in their order, not permuted.
  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const tensor_list kept = context->get_saved_variables();
    const at::Tensor &z = kept[0], &slope = kept[1], &transposed_weight = kept[2];
    const RowTensors pairs = rows_at(kept, 3), turned = rows_at(kept, 3 + kTensorsOfRows);
    const at::Tensor grad_z = spmm(pairs, slope, z) + spmm(turned, slopes_of(turned, transposed_weight, z).slope, z);
    return {grad_z * grad_outputs[0], {}};
  }
};

}  // namespace

at::Tensor pair_loss(const SparseTensors& pairs, const at::Tensor& z) {
  check_matrix("pair_loss", "z", z, pairs.rows(), -1, z);
  if (pairs.columns() != pairs.rows()) {
    fail("pair_loss: pairs have ", pairs.rows(), " rows and ", pairs.columns(), " columns, expected as many");
  }
  return PairLoss::apply(z.contiguous(), pairs);
}

}  // namespace geniepath::ops
