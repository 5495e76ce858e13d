// What the operations ask of the GPU beside the kernels: where to queue work, and dense products. Built without CUDA, the
// twin in no_cuda/ says so.
#pragma once

#include <ATen/core/Tensor.h>

#include "geniepath/ops.h"
#include "kernels/cuda/stream.h"
#include "ops/matmul.h"

namespace geniepath::ops {

// An Error where GPU number `index` cannot be used.
void check_gpu(int index);

std::string gpu_name(int index);

// Waits until all queued work of the current GPU is done.
void synchronize_gpu();

// The most bytes of GPU memory LibTorch's tensors have taken up at a time since the last call.
int64_t take_peak_gpu_bytes();

// From now on LibTorch's tensors may take up this much of the current GPU's memory.
void limit_gpu_bytes(int64_t bytes);

// The stream LibTorch queues this thread's work on.
kernels::cuda::Stream current_stream();

// matmul_into of device tensors, by cuBLAS; f32 operands are rounded to TF32 where the precision says so.
void cuda_matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                      Precision precision, bool accumulate);

}  // namespace geniepath::ops
