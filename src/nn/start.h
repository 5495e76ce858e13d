// A start that keeps the signal (docs/paper_map.md, "Start"): Xavier's weights, scaled by one forward pass over the
// training data, layer by layer, in the spirit of LSUV (Mishkin and Matas 2016). The equations stay the paper's.
//
// Drawn by Xavier's rule alone, gates near 1/2 and means over neighbours shrink what a node passes on about fourfold
// per layer: the scores of later layers begin at 0, and attention stays even. Here, whatever the depth and the data,
//   h^(0)                  has a root mean square of kInput
//   attention's scores     deviate by kScore within a row
//   products under a tanh  have a root mean square of kBeforeTanh about their mean, and a mean of kMean
//   gates                  deviate by kGate before the sigmoid, about the values of Openings
// Without biases, the mean of a layer's input is the direction that gives a product an offset.
// Sums are taken over the nodes of all processes, in an order that no number of threads changes.
#pragma once

#include <ATen/core/Tensor.h>

#include "distributed/group.h"
#include "geniepath/model.h"
#include "geniepath/ops.h"

namespace geniepath::nn {

using distributed::Group;

// A model whose weights can begin this way.
class FittedStart {
 public:
  virtual ~FittedStart() = default;
  // Scales freshly drawn weights by a forward pass over the training data, each process over its own nodes.
  virtual void fit_start(const ModelInput& input, Group& group) = 0;
};

// Draws the weights anew and fits them to the training data, if the model is one of these. The output layer's biases,
// if it has any, begin at `scores` [outputs], those of a guess without features; undefined: at 0.
void start_weights(Model& model, uint64_t seed, const ModelInput& input, const at::Tensor& scores = {},
                   Group& group = distributed::alone());

}  // namespace geniepath::nn

namespace geniepath::nn::start {

constexpr double kInput = 0.5;
constexpr double kBeforeTanh = 1, kMean = 0.5;
constexpr double kSkip = 0.25;  // products beside a skip connection: kSkip / sqrt(T), as T of them add up
constexpr double kScore = 0.4;
constexpr double kGate = 0.5;

// Where the gates of a hop begin, before the sigmoid. In geniepath, what a node passes on is its memory, so the memory
// must neither fade nor overflow on its way through T hops: after all of them, half of the first hop is left, and the
// later ones enter by 1 / sqrt(T), so that together they weigh as much. In geniepath-lazy nothing is passed on through
// the gates, and they begin at 1/2.
struct Openings {
  double input = 0, forget = 0, output = 0;
};
Openings openings(int64_t hops, bool first);

double root_mean_square(const at::Tensor& x, Group& group = distributed::alone());

// Multiplies w [P, K] so that x w has this root mean square; a product of 0 stays 0.
void scale(at::Tensor& w, const at::Tensor& product, double to, Group& group);

// Changes w [P, K] so that x w has this mean (the same for every column, in magnitude) and this root mean square about
// it. x: [N, P]; where its rows are all but the same, the product has this root mean square as a whole.
void centre_and_scale(at::Tensor& w, const at::Tensor& x, double mean, double deviation, Group& group);

// Changes w so that x w has about this mean in every column; its deviation is unchanged.
void offset(at::Tensor& w, const at::Tensor& x, double mean, Group& group);

// Multiplies v, whose scores deviate by `deviation` within their rows, so that they deviate by kScore.
void scale_scores(at::Tensor& v, double deviation);

// Deviation of the scores within their rows, over all edges of nodes that have two or more; from alpha [E], whose
// logarithm is the score up to a constant per row. 0 where there is no such node.
double score_deviation(const GraphTensors& graph, const at::Tensor& alpha, Group& group = distributed::alone());

}  // namespace geniepath::nn::start
