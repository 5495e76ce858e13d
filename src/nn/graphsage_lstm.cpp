#include "nn/graphsage_lstm.h"

#include <algorithm>

#include "nn/parameters.h"

namespace geniepath::nn {

SageLstmLayer::SageLstmLayer(const ModelConfig& config, const LayerShape& shape)
    : SageLayer(config, shape, config.hidden), most_(config.lstm_neighbours) {
  const int64_t width = config.hidden;
  if (shape.t == 0) w_p_ = register_parameter("w_p", matrix(shape.inputs, width));
  w_i_ = register_parameter("w_i", matrix(2 * width, width));
  w_f_ = register_parameter("w_f", matrix(2 * width, width));
  w_o_ = register_parameter("w_o", matrix(2 * width, width));
  w_c_ = register_parameter("w_c", matrix(2 * width, width));
  b_g_ = register_parameter("b_g", vector(4 * width));
}

at::Tensor SageLstmLayer::forward(const LayerInput& x) const {
  const at::Tensor h = w_p_.defined() ? x.times(w_p_, precision_) : x.h;
  const at::Tensor phi = read(x.graph(), h, x.trains ? x.key.value() : 0);
  return combine(ops::linear(phi, w_n_, {}, Activation::kNone, precision_), x);
}

// Nodes are sorted by descending number of neighbours, so those with neighbours left are always a prefix.
at::Tensor SageLstmLayer::read(const GraphTensors& graph, const at::Tensor& h, uint64_t key) const {
  const ops::NeighbourSequences sequences = ops::neighbour_sequences(graph, most_, key);
  const at::Tensor w = at::cat({w_i_, w_f_, w_o_, w_c_}, 1);
  std::vector<at::Tensor> done;  // outputs of finished nodes, fewest neighbours first
  at::Tensor out = at::zeros_like(h), memory = out;
  for (const at::Tensor& step : sequences.step) {
    const int64_t reading = step.numel();
    done.push_back(out.narrow(0, reading, out.size(0) - reading));
    std::tie(out, memory) = ops::gated_memory(h.index_select(0, step), out.narrow(0, 0, reading), w, b_g_,
                                              memory.narrow(0, 0, reading), precision_);
  }
  done.push_back(out);
  std::reverse(done.begin(), done.end());
  return at::cat(done, 0).index_select(0, sequences.place);
}

}  // namespace geniepath::nn
