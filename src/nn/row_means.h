// Sums over rows without attention.
#pragma once

#include "geniepath/ops.h"

namespace geniepath::nn {

// Means of the states that the R nodes of `rows` attend to, [R, K], of h [M, K] on the CPU; 0 for an empty row.
at::Tensor row_means(const ops::NodeRows& rows, const at::Tensor& h);

}  // namespace geniepath::nn
