#include "ops/halo.h"

#include <ATen/ATen.h>

#include "distributed/halo.h"
#include "ops/autograd.h"

namespace geniepath::ops {
namespace {

using SharedHalo = std::shared_ptr<const distributed::Halo>;

struct HaloRows : OnceDifferentiable<HaloRows> {
  static constexpr const char* kName = "halo";

  // Autograd keeps the halo as an opaque value.
  struct Kept : torch::CustomClassHolder {
    explicit Kept(SharedHalo of) : halo(std::move(of)) {}
    SharedHalo halo;
  };

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const SharedHalo& halo) {
    context->saved_data["halo"] = c10::IValue::make_capsule(c10::make_intrusive<Kept>(halo));
    return halo->fetch(h);
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    const auto kept = context->saved_data["halo"].toCapsule();
    return {static_cast<const Kept&>(*kept).halo->send_back(grad_outputs[0].contiguous()), {}};
  }
};

}  // namespace

GraphTensors with_halo_nodes(const GraphTensors& graph) {
  GraphTensors whole = graph;
  whole.halo = nullptr;
  whole.halo_nodes = 0;
  return whole;
}

at::Tensor with_halo_rows(const GraphTensors& graph, const at::Tensor& h) { return HaloRows::apply(h.contiguous(), graph.halo); }

}  // namespace geniepath::ops
