// Twins of the CUDA kernels for builds without CUDA; all throw.
#include "geniepath/error.h"
#include "kernels/cuda/adam.h"
#include "kernels/cuda/cross_entropy.h"
#include "kernels/cuda/dropout.h"
#include "kernels/cuda/edge_attention.h"
#include "kernels/cuda/elementwise.h"
#include "kernels/cuda/gat_attention.h"
#include "kernels/cuda/gates.h"
#include "kernels/cuda/neighbour_max.h"
#include "kernels/cuda/spmm.h"

namespace geniepath::kernels::cuda {
namespace {

[[noreturn]] void absent() { fail("cuda: this build has no CUDA"); }

}  // namespace

void run(const ExpTwice<float>&) { absent(); }
void run(const ExpTwice<Bf16>&) { absent(); }
void run(const EdgeAttentionForward<float>&) { absent(); }
void run(const EdgeAttentionForward<Bf16>&) { absent(); }
void run(const EdgeAttentionDelta&) { absent(); }
void run(const EdgeAttentionBackwardBySource<float>&) { absent(); }
void run(const EdgeAttentionBackwardBySource<Bf16>&) { absent(); }
void run(const EdgeAttentionBackwardByDestination<float>&) { absent(); }
void run(const EdgeAttentionBackwardByDestination<Bf16>&) { absent(); }
void run(const AlphaOfScores&) { absent(); }
int64_t v_scratch_rows(const DeviceRows&, int64_t) { absent(); }
void run(const GatesForward&) { absent(); }
void run(const GatesBackward&) { absent(); }
void run(const ToBf16&) { absent(); }
void run(const TanhForward&) { absent(); }
void run(const TanhBackward&) { absent(); }
void run(const Dropout&) { absent(); }
void run(const Spmm&) { absent(); }
void run(const SparseDropout&) { absent(); }
void run(const NeighbourMaxForward&) { absent(); }
void run(const NeighbourMaxBackward&) { absent(); }
void run(const GatLogSumExp&) { absent(); }
void run(const GatAttentionForward&) { absent(); }
void run(const GatAttentionBackward&) { absent(); }
void run(const EdgeSums&) { absent(); }
void run(const GradientNorm&) { absent(); }
void run(const AdamStep&) { absent(); }
void run(const SigmoidCrossEntropy&) { absent(); }

}  // namespace geniepath::kernels::cuda
