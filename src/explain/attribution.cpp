#include "explain/attribution.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "explain/what_if.h"
#include "geniepath/error.h"

namespace geniepath::explain {
namespace {

constexpr int64_t kMostValues = int64_t{1} << 26;
constexpr double kGap = 5e-4, kRounding = 1e-5;  // of the values' sum; of an f32 score
constexpr int kFirstPanels = 4, kMostPanels = 200;
constexpr double kNarrowest = 1.0 / (1 << 14);  // panel

// The Gauss-Legendre rule of four points on [0, 1], exact up to degree 7.
struct Point {
  double at, weight;
};
constexpr Point kRule[] = {{0.069431844202973712, 0.173927422568726929},
                           {0.330009478207571868, 0.326072577431273071},
                           {0.669990521792428132, 0.326072577431273071},
                           {0.930568155797026288, 0.173927422568726929}};

void check_features(const char* name, const at::Tensor& x, int64_t nodes, int64_t width) {
  if (x.dim() != 2 || x.size(0) != nodes || (width >= 0 && x.size(1) != width) || x.scalar_type() != at::kFloat) {
    fail("attribute: ", name, " is ", x.scalar_type(), " ", x.sizes(), ", expected f32 with one row for each of ",
         nodes, " nodes", width >= 0 ? ", as wide as the features" : "");
  }
}

class Score {
 public:
  Score(const Trace& trace, std::span<const NodeId> nodes, int64_t output)
      : trace_(trace), target_(nodes[0]), output_(output) {
    change_.others_held = true;
    for (size_t n = 0; n < nodes.size(); ++n) change_.restated[nodes[n]] = static_cast<int64_t>(n);
  }

  // A scalar; differentiable if x requires gradients.
  at::Tensor operator()(const at::Tensor& x) {
    change_.restated_h_0 = begin(*trace_.path_model, Features(x));
    const Trajectory path = follow(trace_, {&target_, 1}, change_);
    return trace_.probabilities_of(trace_.path_model->finish(path.h_0, path.h))[0][output_];
  }

  at::Tensor gradient(const at::Tensor& x) {
    const at::Tensor leaf = x.detach().requires_grad_();
    const at::Tensor score = (*this)(leaf);
    if (!score.requires_grad())
      fail("attribute: this model has no gradients; expected one whose breadth() is differentiable");
    const at::Tensor gradient = torch::autograd::grad({score}, {leaf}, {}, {}, false, true)[0];
    return gradient.defined() ? gradient : at::zeros_like(x);
  }

 private:
  const Trace& trace_;
  NodeId target_;
  int64_t output_;
  GraphChange change_;
};

// The integral along the line from `from` to `from + step`, panel by panel. A panel whose values do not add up to the
// difference of the scores at its ends is halved, so that points gather where the score is steep.
class LineIntegral {
 public:
  LineIntegral(Score& score, const at::Tensor& from, const at::Tensor& step)
      : score_(score), from_(from), step_(step), sum_(at::zeros(from.sizes(), at::kDouble)) {}

  at::Tensor values(double at_start, double at_end) {
    double before = at_start;
    for (int panel = 0; panel < kFirstPanels; ++panel) {
      const double after = panel + 1 == kFirstPanels ? at_end : at((panel + 1.0) / kFirstPanels);
      add(static_cast<double>(panel) / kFirstPanels, (panel + 1.0) / kFirstPanels, before, after);
      before = after;
    }
    return sum_;
  }

 private:
  double at(double place) { return score_(from_ + step_ * place).item<double>(); }

  at::Tensor panel(double begin, double end) {
    at::Tensor sum = at::zeros(from_.sizes(), at::kDouble);
    for (const auto& [place, weight] : kRule) {
      sum.add_(score_.gradient(from_ + step_ * (begin + place * (end - begin))).to(at::kDouble),
               weight * (end - begin));
    }
    ++panels_;
    return sum * step_;
  }

  void add(double begin, double end, double score_begin, double score_end) {
    const at::Tensor values = panel(begin, end);
    const double gap = std::abs(values.sum().item<double>() - (score_end - score_begin));
    if (gap <= kGap * (end - begin) || gap <= kRounding || panels_ >= kMostPanels || end - begin <= kNarrowest) {
      sum_ += values;
      return;
    }
    const double middle = (begin + end) / 2, score_middle = at(middle);
    add(begin, middle, score_begin, score_middle);
    add(middle, end, score_middle, score_end);
  }

  Score& score_;
  const at::Tensor& from_;
  const at::Tensor& step_;
  at::Tensor sum_;
  int panels_ = 0;
};

}  // namespace

FeatureAttribution attribute(const Trace& trace, std::span<const NodeId> nodes, const at::Tensor& features,
                             const at::Tensor& baseline, int64_t output) {
  const auto rows = static_cast<int64_t>(nodes.size());
  check_features("features", features, rows, -1);
  check_features("baseline", baseline, rows, features.size(1));
  if (features.numel() > kMostValues) {
    fail("attribute: ", rows, " nodes with ", features.size(1), " features, expected at most ", kMostValues,
         " values in all");
  }
  if (output < 0 || output >= trace.probabilities.size(1)) {
    fail("attribute: output ", output, ", but the model has ", trace.probabilities.size(1));
  }
  const at::AutoGradMode gradients(true);
  Score score(trace, nodes, output);
  const at::Tensor step = features - baseline;
  const double full = trace.probabilities[nodes[0]][output].item<double>(), without = score(baseline).item<double>();
  const at::Tensor values = LineIntegral(score, baseline, step).values(without, full);
  return {values.to(at::kFloat), full, without, full - without - values.sum().item<double>()};
}

}  // namespace geniepath::explain
