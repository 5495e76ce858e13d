// The walk loss on weighted pairs and its slopes (formula: kernels/reference/pair_loss.h).
//   z: [N, width]   weight, slope: one per pair   loss: one per row, may be null
#pragma once

#include "kernels/rows.h"

namespace geniepath::kernels::cpu {

struct PairLoss {
  Rows pairs;
  const float* weight;
  int64_t width;
  const float* z;
  float* slope;
  float* loss;
  int threads;
};

void run(const PairLoss& op);

}  // namespace geniepath::kernels::cpu
