// GPU services beyond our kernels: devices, streams and dense products. In a build without CUDA, the twin in no_cuda/
// throws.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/ops.h"
#include "kernels/cuda/stream.h"
#include "ops/matmul.h"

namespace geniepath::ops {

// 0 in a build without CUDA.
int num_gpus();

// Makes GPU number `index` the current one; an Error says why it cannot be used.
void check_gpu(int index);

std::string gpu_name(int index);

// Waits for all queued work of the current GPU.
void synchronize_gpu();

// Peak bytes of LibTorch's tensors on the current GPU since the last call.
int64_t take_peak_gpu_bytes();

// Limits the memory of LibTorch's tensors on the current GPU.
void limit_gpu_bytes(int64_t bytes);

// Whether the current stream records a CUDA graph, which would replay what a call made of its arguments.
bool is_recording();

// LibTorch's current stream of the calling thread.
kernels::cuda::Stream current_stream();

// matmul_into for device tensors, by cuBLAS; kTf32 rounds f32 operands to TF32.
void cuda_matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                      Precision precision, bool accumulate);

}  // namespace geniepath::ops
