// Which kernels compute an operation: the one place where the device and dtype of a tensor decide.
#pragma once

#include <ATen/core/Tensor.h>

#include <type_traits>

#include "kernels/bf16.h"

namespace geniepath::kernels::cpu {}
namespace geniepath::kernels::cuda {}

namespace geniepath::ops {

namespace cpu = kernels::cpu;
namespace cuda = kernels::cuda;
using kernels::Bf16;

enum class Backend {
  kReference,  // f64 on the CPU: formulas, for checking
  kCpu,        // kernels/cpu
  kGpu,        // kernels/cuda
};

inline Backend backend_of(const at::Tensor& x) {
  if (x.is_cuda()) return Backend::kGpu;
  return x.scalar_type() == at::kDouble ? Backend::kReference : Backend::kCpu;
}

// Calls the function for the backend of x, and returns what it does.
template <class Reference, class OnCpu, class OnGpu>
auto dispatch(const at::Tensor& x, const Reference& reference, const OnCpu& on_cpu, const OnGpu& on_gpu) {
  const Backend backend = backend_of(x);
  if (backend == Backend::kGpu) return on_gpu();
  return backend == Backend::kCpu ? on_cpu() : reference();
}

// For what has one way on the CPU, whatever the dtype.
template <class OnCpu, class OnGpu>
auto dispatch(const at::Tensor& x, const OnCpu& on_cpu, const OnGpu& on_gpu) {
  return dispatch(x, on_cpu, on_cpu, on_gpu);
}

// Calls f with a value of the type that x, f32 or bf16, is stored in.
template <class F>
auto with_storage_of(const at::Tensor& x, const F& f) {
  return x.scalar_type() == at::kBFloat16 ? f(Bf16{}) : f(float{});
}

// An argument that may be undefined, as kernels take it.
template <class T>
T* pointer(const at::Tensor& x) {
  if (!x.defined()) return nullptr;
  if constexpr (std::is_same_v<T, Bf16>) {
    return static_cast<T*>(x.data_ptr());
  } else {
    return x.data_ptr<T>();
  }
}

}  // namespace geniepath::ops
