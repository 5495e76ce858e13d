// torch.ops.geniepath.NAME in a form that compilers trace without looking inside:
//   NAME_forward(arguments) -> (results, kept...)       kept: what the backward pass reads beyond arguments and results
//   NAME_backward(Tensor[] grads, Tensor[] forward, bool[] wanted, arguments) -> Tensor[]
//     grads: of the results; [0] for one that nothing reads
//     one gradient per floating-point argument given, in order; [0] where it is not wanted
//   NAME(arguments) -> results                          differentiable: the two above
// In bf16 on a GPU, NAME converts the operands of products, and the two passes take the converted ones.
// Python adds fake kernels (python/geniepath/_fakes.py), which state the shapes alone.
#pragma once

#include <torch/library.h>

#include <string>

#include "geniepath/ops.h"
#include "ops/index_tensors.h"

namespace geniepath::ops {

using Wanted = c10::List<bool>;

struct Schema {
  const char* name;
  const char* arguments;  // e.g. "Tensor x, float rate"
  const char* results = "Tensor";
  const char* forward_results = "Tensor";
};

// One function for tensors of both devices.
struct DevicePair {
  template <class F>
  DevicePair(F f) : cpu(f), cuda(f) {}  // NOLINT(google-explicit-constructor)
  torch::CppFunction cpu, cuda;
};

void define(torch::Library& library, const Schema& schema, DevicePair forward, DevicePair backward);

// An operator whose result has no gradient.
void define_constant(torch::Library& library, const char* name, const char* arguments, DevicePair forward);

void implement_on_devices(torch::Library& library, const char* name, DevicePair pair);

// What NAME_backward reads of its lists, which may come from outside: the gradient of a result of these sizes, and a
// tensor that NAME_forward returned. Contiguous; `like`: an argument, for the device and, of gradients, the dtype.
at::Tensor gradient_of(const char* op, at::TensorList grads, size_t result, at::IntArrayRef sizes,
                       const at::Tensor& like);
at::Tensor forward_result(const char* op, at::TensorList forward, size_t place, at::IntArrayRef sizes,
                          at::ScalarType type, const at::Tensor& like);

// The result of NAME_backward: [0] in place of gradients that are undefined or not wanted.
TensorVector wanted_gradients(const char* op, const Wanted& wanted, const TensorVector& gradients);

// An optional argument; undefined if it was not given.
inline at::Tensor given(const at::Tensor& x) { return x.defined() ? x.contiguous() : x; }
inline at::Tensor given(const c10::optional<at::Tensor>& x) { return given(x.value_or(at::Tensor())); }

inline Precision precision_named(c10::string_view name) {
  return from_string<Precision>(std::string(name), "precision");
}

}  // namespace geniepath::ops
