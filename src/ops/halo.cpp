#include "ops/halo.h"

#include <ATen/ATen.h>

namespace geniepath::ops {
namespace {

using SharedHalo = std::shared_ptr<const distributed::Halo>;

// Autograd keeps the halo as an opaque value.
struct KeptHalo : torch::CustomClassHolder {
  explicit KeptHalo(SharedHalo of) : halo(std::move(of)) {}
  SharedHalo halo;
};

void keep_halo(AutogradContext& context, const SharedHalo& halo) {
  context.saved_data["halo"] = c10::IValue::make_capsule(c10::make_intrusive<KeptHalo>(halo));
}

SharedHalo kept_halo(AutogradContext& context) {
  const auto kept = context.saved_data["halo"].toCapsule();
  return static_cast<const KeptHalo&>(*kept).halo;
}

struct HaloRows : OnceDifferentiable<HaloRows> {
  static constexpr const char* kName = "halo";

  static at::Tensor forward(AutogradContext* context, const at::Tensor& h, const SharedHalo& halo) {
    keep_halo(*context, halo);
    return halo->fetch(h);
  }

  static tensor_list gradients(AutogradContext* context, tensor_list grad_outputs) {
    return {kept_halo(*context)->send_back(grad_outputs[0].contiguous()), {}};
  }
};

}  // namespace

GraphTensors with_halo_nodes(const GraphTensors& graph) {
  GraphTensors whole = graph;
  whole.halo = nullptr;
  whole.halo_nodes = whole.interior_nodes = 0;
  return whole;
}

at::Tensor with_halo_rows(const GraphTensors& graph, const at::Tensor& h) {
  return HaloRows::apply(h.contiguous(), graph.halo);
}

DividedGraph::DividedGraph(const GraphTensors& graph)
    : in(incoming(graph)),
      out(outgoing(graph)),
      halo(graph.halo),
      own(graph.num_nodes()),
      others(graph.halo_nodes),
      interior(graph.interior_nodes) {}

DividedGraph::DividedGraph(AutogradContext& context, const tensor_list& kept, size_t from)
    : in(rows_at(kept, from)),
      out(rows_at(kept, from + kTensorsOfRows)),
      halo(kept_halo(context)),
      own(halo->own_nodes()),
      others(halo->halo_nodes()),
      interior(context.saved_data["interior"].toInt()) {}

void DividedGraph::keep(AutogradContext& context, tensor_list& kept) const {
  append(kept, in);
  append(kept, out);
  keep_halo(context, halo);
  context.saved_data["interior"] = interior;
}

}  // namespace geniepath::ops
