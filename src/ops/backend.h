// Choice of kernels by a tensor's device and dtype: the only place where these decide.
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
  kReference,  // f64 on the CPU: kernels/reference, for checking
  kCpu,        // kernels/cpu
  kGpu,        // kernels/cuda
};

inline Backend backend_of(const at::Tensor& x) {
  if (x.is_cuda()) return Backend::kGpu;
  return x.scalar_type() == at::kDouble ? Backend::kReference : Backend::kCpu;
}

// Whether values that follow from a layer's input x are recomputed in the backward pass rather than kept: on the CPU,
// narrow layers wait for memory more than for arithmetic.
inline bool is_narrow(const at::Tensor& x) { return backend_of(x) == Backend::kCpu && x.size(1) <= 32; }

// Calls the function for the backend of x and returns its result.
template <class Reference, class OnCpu, class OnGpu>
auto dispatch(const at::Tensor& x, const Reference& reference, const OnCpu& on_cpu, const OnGpu& on_gpu) {
  const Backend backend = backend_of(x);
  if (backend == Backend::kGpu) return on_gpu();
  return backend == Backend::kCpu ? on_cpu() : reference();
}

// For operations with one implementation on the CPU, whatever the dtype.
template <class OnCpu, class OnGpu>
auto dispatch(const at::Tensor& x, const OnCpu& on_cpu, const OnGpu& on_gpu) {
  return dispatch(x, on_cpu, on_cpu, on_gpu);
}

// Calls f with a value of the element type of x: float or Bf16.
template <class F>
auto with_storage_of(const at::Tensor& x, const F& f) {
  return x.scalar_type() == at::kBFloat16 ? f(Bf16{}) : f(float{});
}

// Pointer to the elements for kernels; null if x is undefined.
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
