#include "ops/device.h"

#include "geniepath/error.h"

namespace geniepath::ops {

int num_gpus() { return 0; }

void check_gpu(int) {
  fail("device: cuda, but this build has no CUDA; build it with nvcc and a PyTorch that has CUDA, or use --device cpu");
}

std::string gpu_name(int) { fail("cuda: this build has no CUDA"); }

void synchronize_gpu() { fail("cuda: this build has no CUDA"); }

int64_t take_peak_gpu_bytes() { fail("cuda: this build has no CUDA"); }

void limit_gpu_bytes(int64_t) { fail("cuda: this build has no CUDA"); }

bool is_recording() { fail("cuda: this build has no CUDA"); }

kernels::cuda::Stream current_stream() { fail("cuda: this build has no CUDA"); }

void cuda_matmul_into(const at::Tensor&, const at::Tensor&, Transpose, const at::Tensor&, Transpose, Precision, bool) {
  fail("cuda: this build has no CUDA");
}

}  // namespace geniepath::ops
