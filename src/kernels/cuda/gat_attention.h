// The attention of graph attention networks (kernels/gat_attention.h) on the GPU. H W is at most kLargestWidth.
// A score costs two loads, so lse is computed first and alpha recomputed wherever needed.
#pragma once

#include "kernels/cuda/mask_key.h"
#include "kernels/cuda/rows.h"
#include "kernels/cuda/stream.h"
#include "kernels/gat_attention.h"

namespace geniepath::kernels::cuda {

struct GatScores : kernels::GatScores<DeviceMaskKey> {
  const float* lse;
};

// Overwrites lse [N, H], which may be scores.lse.
struct GatLogSumExp {
  DeviceRows incoming;
  GatScores scores;
  float* lse;
  Stream stream;
};

// scratch: [pieces, H W]
struct GatAttentionForward : kernels::GatAttentionForward<DeviceRows, GatScores> {
  float* scratch;
  Stream stream;
};

// scratch: [pieces, H W]
struct GatAttentionBackward : kernels::GatAttentionBackward<DeviceRows, GatScores> {
  float* scratch;
  Stream stream;
};

// Sums ds over incoming edges: grad_dst; over outgoing ones: grad_src.
using EdgeSums = OnStream<kernels::EdgeSums<DeviceRows>>;

void run(const GatLogSumExp& op);
void run(const GatAttentionForward& op);
void run(const GatAttentionBackward& op);
void run(const EdgeSums& op);

}  // namespace geniepath::kernels::cuda
