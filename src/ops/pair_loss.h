// Walk loss of node representations z [N, K] on weighted pairs [N, N], where row u lists the nodes v paired with u:
//   sum over the pairs of |w| softplus(-sign(w) z_u . z_v)
// No pairs x K array exists, forward or backward: the gradient is two sparse products. CPU only.
#pragma once

#include "geniepath/ops.h"

namespace geniepath::ops {

at::Tensor pair_loss(const SparseTensors& pairs, const at::Tensor& z);

}  // namespace geniepath::ops
