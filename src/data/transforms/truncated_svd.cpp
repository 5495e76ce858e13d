#include "data/transforms/truncated_svd.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/one_thread.h"
#include "base/random.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr int64_t kOversampling = 64;
// Each multiplies the weight of direction k by (s_k / s_1)^2; the last of the d directions need them where singular
// values fall slowly, as in social networks.
constexpr int kPowerIterations = 12;
constexpr uint64_t kSketch = 0x737664;

// Row i of the product is the sum of the rows of x listed in row i.
at::Tensor multiply(const Adjacency& rows, const at::Tensor& x) {
  const int64_t width = x.size(1);
  at::Tensor product = at::zeros({rows.rows(), width}, at::kFloat);
  const float* in = x.data_ptr<float>();
  float* out = product.data_ptr<float>();
  for (NodeId i = 0; i < rows.rows(); ++i, out += width) {
    for (const NodeId j : rows.neighbours(i)) {
      const float* row = in + j * width;
      for (int64_t k = 0; k < width; ++k) out[k] += row[k];
    }
  }
  return product;
}

// Box-Muller, on random numbers that depend only on seed and position.
at::Tensor gaussian(int64_t rows, int64_t columns, int64_t seed) {
  const RandomStream stream{static_cast<uint64_t>(seed), kSketch};
  at::Tensor sketch = at::empty({rows, columns}, at::kFloat);
  float* out = sketch.data_ptr<float>();
  for (int64_t i = 0; i < rows * columns; ++i) {
    const auto at = static_cast<uint64_t>(i);
    const double radius = std::sqrt(-2 * std::log(1 - stream.uniform(2 * at)));
    out[i] = static_cast<float>(radius * std::cos(2 * std::numbers::pi * stream.uniform(2 * at + 1)));
  }
  return sketch;
}

at::Tensor orthonormal(const at::Tensor& x) { return std::get<0>(at::linalg_qr(x)).contiguous(); }

void fix_signs(at::Tensor& u) {
  const at::Tensor largest = u.abs().argmax(0, /*keepdim=*/true);
  const at::Tensor sign = u.gather(0, largest).sign();
  u = (u * at::where(sign == 0, at::ones_like(sign), sign)).contiguous();
}

}  // namespace

TruncatedSvd truncated_svd(const Graph& graph, int64_t dimensions, int64_t seed) {
  const int64_t nodes = graph.num_nodes();
  if (dimensions < 1 || dimensions > nodes) {
    fail("svd: ", dimensions, " dimensions of a graph of ", nodes, " nodes, expected 1 to ", nodes);
  }
  const at::NoGradGuard no_grad;
  const OneThread one_thread;
  const int64_t width = std::min(nodes, dimensions + kOversampling);
  at::Tensor range = orthonormal(multiply(graph.incoming(), gaussian(nodes, width, seed)));
  for (int i = 0; i < kPowerIterations; ++i) {
    range = orthonormal(multiply(graph.outgoing(), range));
    range = orthonormal(multiply(graph.incoming(), range));
  }
  // A ~ Q (Q'A), and (Q'A)' = A'Q = W S Z' gives U = Q Z.
  const at::Tensor turned = multiply(graph.outgoing(), range);
  const auto [w, s, z] = at::linalg_svd(turned, /*full_matrices=*/false);
  TruncatedSvd result{range.mm(z.t()).narrow(1, 0, dimensions), s.narrow(0, 0, dimensions).contiguous()};
  fix_signs(result.u);
  return result;
}

}  // namespace geniepath
