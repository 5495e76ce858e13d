#include "ops/device.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cublas_v2.h>

#include <algorithm>

#include "geniepath/error.h"

namespace geniepath::ops {
namespace {

constexpr int kOldestMajor = 8;  // the first with bf16 and TF32

cublasOperation_t operation(Transpose turn) { return turn == Transpose::kYes ? CUBLAS_OP_T : CUBLAS_OP_N; }

cudaDataType_t type_of(const at::Tensor& x) {
  if (x.scalar_type() == at::kFloat) return CUDA_R_32F;
  if (x.scalar_type() == at::kBFloat16) return CUDA_R_16BF;
  fail("matmul: dtype ", at::toString(x.scalar_type()), " on ", x.device().str(), ", expected f32 or bf16");
}

// Hopper's TF32 units need the summed index contiguous in both operands; transposing a weight matrix costs little.
bool pays_to_turn(const at::Tensor& c, Transpose turn_b, Precision precision) {
  constexpr int64_t kManyRows = 8192;
  return precision == Precision::kTf32 && turn_b == Transpose::kNo && c.size(0) >= kManyRows;
}

// Elements from one row to the next; for a single row, LibTorch's stride may be any number.
int row_stride(const at::Tensor& x) { return static_cast<int>(x.size(0) > 1 ? x.stride(0) : x.size(1)); }

}  // namespace

int num_gpus() { return c10::cuda::device_count(); }

void check_gpu(int index) {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    fail("device: cuda, but no GPU can be used: ", status == cudaSuccess ? "none found" : cudaGetErrorString(status));
  }
  if (index >= count) fail("device: cuda:", index, ", but there are ", count, " GPUs, numbered from 0");
  cudaDeviceProp gpu{};
  cudaGetDeviceProperties(&gpu, index);
  if (gpu.major < kOldestMajor) {
    fail("device: cuda:", index, " is a ", gpu.name, " of compute capability ", gpu.major, ".", gpu.minor,
         ", expected at least ", kOldestMajor, ".0");
  }
  c10::cuda::set_device(static_cast<c10::DeviceIndex>(index));
}

std::string gpu_name(int index) {
  cudaDeviceProp gpu{};
  C10_CUDA_CHECK(cudaGetDeviceProperties(&gpu, index));
  return gpu.name;
}

void synchronize_gpu() { c10::cuda::device_synchronize(); }

int64_t take_peak_gpu_bytes() {
  const c10::DeviceIndex device = c10::cuda::current_device();
  const auto statistics = c10::cuda::CUDACachingAllocator::getDeviceStats(device);
  c10::cuda::CUDACachingAllocator::resetPeakStats(device);
  return statistics.allocated_bytes[0].peak;
}

void limit_gpu_bytes(int64_t bytes) {
  size_t free = 0, total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  const double share = std::min(1.0, static_cast<double>(bytes) / static_cast<double>(total));
  c10::cuda::CUDACachingAllocator::emptyCache();
  c10::cuda::CUDACachingAllocator::setMemoryFraction(share, c10::cuda::current_device());
}

bool is_recording() {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  C10_CUDA_CHECK(cudaStreamIsCapturing(c10::cuda::getCurrentCUDAStream().stream(), &status));
  return status != cudaStreamCaptureStatusNone;
}

kernels::cuda::Stream current_stream() { return {c10::cuda::getCurrentCUDAStream().stream()}; }

// cuBLAS is column-major: c = a b becomes c' = b' a'.
void cuda_matmul_into(const at::Tensor& c, const at::Tensor& a, Transpose turn_a, const at::Tensor& b, Transpose turn_b,
                      Precision precision, bool accumulate) {
  if (pays_to_turn(c, turn_b, precision)) {
    return cuda_matmul_into(c, a, turn_a, b.t().contiguous(), Transpose::kYes, precision, accumulate);
  }
  const auto rows = static_cast<int>(c.size(0)), columns = static_cast<int>(c.size(1));
  const auto inner = static_cast<int>(a.size(turn_a == Transpose::kYes ? 0 : 1));
  if (rows == 0 || columns == 0) return;
  const float one = 1, into = accumulate ? 1.0f : 0.0f;
  const cublasComputeType_t compute = precision == Precision::kTf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = cublasGemmEx(
      at::cuda::getCurrentCUDABlasHandle(), operation(turn_b), operation(turn_a), columns, rows, inner, &one,
      b.data_ptr(), type_of(b), row_stride(b), a.data_ptr(), type_of(a), row_stride(a),
      &into, c.data_ptr(), type_of(c), row_stride(c), compute, CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_SUCCESS) fail("matmul: cuBLAS returned status ", static_cast<int>(status));
}

}  // namespace geniepath::ops
