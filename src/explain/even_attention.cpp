#include "explain/even_attention.h"

#include <ATen/ATen.h>

namespace geniepath::explain {

at::Tensor evenly_attended(const Trace& trace) {
  const at::NoGradGuard no_grad;
  const GraphTensors graph(trace.graph, InputUse::kPrediction);
  const ops::NodeRows rows{graph.in_offset, graph.in_neighbour};
  const at::Tensor& h_0 = trace.h[0];
  std::vector<at::Tensor> h;
  at::Tensor memory;
  for (int64_t t = 1; t <= trace.depth(); ++t) {
    const at::Tensor h_tmp = trace.path_model->even_breadth(t, rows, h.empty() ? h_0 : h.back(), h_0);
    h.push_back(trace.path_model->advance(t, h_tmp, memory));
  }
  return trace.probabilities_of(trace.path_model->finish(h_0, h));
}

}  // namespace geniepath::explain
