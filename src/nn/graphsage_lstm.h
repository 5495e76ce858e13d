// GraphSAGE with its LSTM aggregator: z = phi W_n + H W_s, where phi_i is the last output of an LSTM that reads the
// neighbours of i, without i, one by one. Their order is random: in training a function of the step's key, in
// evaluation always the same. Of more than `lstm-neighbours`, that many are drawn. So the scores depend on the
// numbering of nodes, as the paper says of this aggregator; those of every other model do not. The first layer's LSTM
// reads W_p' x_j of width K, later ones read h_j.
#pragma once

#include "nn/graphsage.h"

namespace geniepath::nn {

class SageLstmLayer : public SageLayer {
 public:
  SageLstmLayer(const ModelConfig& config, const LayerShape& shape);
  at::Tensor forward(const LayerInput& x) const override;
  bool replayable() const override { return false; }  // the order is drawn on the host
  bool draws() const override { return true; }
  int64_t radius() const override { return Model::kWholeGraph; }

 private:
  at::Tensor read(const GraphTensors& graph, const at::Tensor& h, uint64_t key) const;  // phi, [N, K]
  int64_t most_;
  at::Tensor w_p_;                          // first layer only
  at::Tensor w_i_, w_f_, w_o_, w_c_, b_g_;  // gates over CONCAT(input, last output): [2K, K]; b_g: [4K]
};

}  // namespace geniepath::nn
