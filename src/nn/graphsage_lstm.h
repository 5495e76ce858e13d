// GraphSAGE with its LSTM aggregator: z = phi W_n + H W_s, phi_i the last output of an LSTM that reads the neighbours
// of i one after the other, i itself left out. The order is random: while training another one every step, from the
// step's key; at evaluation always the same. Where a node has more than `lstm-neighbours`, that many are drawn. So the
// scores depend on how nodes are numbered, as the paper says of this aggregator; every other model's do not.
// The first layer's LSTM reads W_p' x_j, K wide, later ones h_j.
#pragma once

#include "nn/graphsage.h"

namespace geniepath::nn {

class SageLstmLayer : public SageLayer {
 public:
  SageLstmLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;
  bool replayable() const override { return false; }  // the order is drawn on the host

 private:
  at::Tensor read(const GraphTensors& graph, const at::Tensor& h, uint64_t key) const;  // phi, [N, K]
  int64_t most_;
  at::Tensor w_p_;                          // of the first layer
  at::Tensor w_i_, w_f_, w_o_, w_c_, b_g_;  // gates over CONCAT(input, output before): [2K, K], b_g: [4K]
};

}  // namespace geniepath::nn
