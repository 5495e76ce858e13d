#include "bench/plain_word2vec.h"

#include <algorithm>
#include <cmath>

// Compiled for several instruction sets; the machine's is chosen at program start.
#if defined(__x86_64__)
#define GENIEPATH_CLONES __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define GENIEPATH_CLONES
#endif

namespace geniepath::bench {
namespace {

constexpr int kTableSize = 1 << 24, kSigmoids = 1000;
constexpr float kLargest = 6;

std::vector<NodeId> negative_table(const Graph& graph) {
  const Adjacency& out = graph.outgoing();
  double sum = 0;
  const auto weight = [&](NodeId node) { return std::pow(static_cast<double>(out.degree(node)), 0.75); };
  for (NodeId node = 0; node < graph.num_nodes(); ++node) sum += weight(node);
  std::vector<NodeId> table;
  double reached = 0;
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    reached += weight(node) / sum;
    while (static_cast<double>(table.size()) < reached * kTableSize) table.push_back(node);
  }
  return table;
}

}  // namespace

GENIEPATH_CLONES
int64_t plain_word2vec(const Graph& graph, const std::vector<NodeId>& walks, const std::vector<int64_t>& walk_begin,
                       const PlainWord2Vec& options) {
  const std::vector<NodeId> table = negative_table(graph);
  std::vector<float> sigmoid(kSigmoids);
  for (int i = 0; i < kSigmoids; ++i) {
    sigmoid[static_cast<size_t>(i)] = 1 / (1 + std::exp(-(static_cast<float>(i) / kSigmoids * 2 - 1) * kLargest));
  }
  const auto size = static_cast<size_t>(graph.num_nodes() * options.dimensions);
  std::vector<float> center(size), context(size, 0), change(static_cast<size_t>(options.dimensions));
  uint64_t random = 1;
  const auto next = [&] { return random = random * 25214903917ULL + 11; };
  for (float& x : center)
    x = (static_cast<float>(next() & 0xffff) / 65536 - 0.5f) / static_cast<float>(options.dimensions);
  int64_t pairs = 0;
  for (size_t w = 0; w + 1 < walk_begin.size(); ++w) {
    for (int64_t at = walk_begin[w]; at < walk_begin[w + 1]; ++at) {
      const auto reach = 1 + static_cast<int64_t>((next() >> 16) % static_cast<uint64_t>(options.window));
      const int64_t first = std::max(walk_begin[w], at - reach), last = std::min(walk_begin[w + 1] - 1, at + reach);
      float* u = center.data() + walks[static_cast<size_t>(at)] * options.dimensions;
      for (int64_t other = first; other <= last; ++other) {
        if (other == at) continue;
        ++pairs;
        std::fill(change.begin(), change.end(), 0.0f);
        for (int64_t n = 0; n <= options.negatives; ++n) {
          const NodeId positive = walks[static_cast<size_t>(other)];
          const NodeId node = n == 0 ? positive : table[(next() >> 16) % table.size()];
          if (n > 0 && node == positive) continue;
          float* x = context.data() + node * options.dimensions;
          float score = 0;
          for (int64_t k = 0; k < options.dimensions; ++k) score += u[k] * x[k];
          const float label = n == 0 ? 1.0f : 0.0f;
          float s = score > 0 ? 1.0f : 0.0f;
          if (std::abs(score) < kLargest) {
            s = sigmoid[static_cast<size_t>((score + kLargest) * (kSigmoids / kLargest / 2))];
          }
          const float factor = (label - s) * options.rate;
          for (int64_t k = 0; k < options.dimensions; ++k) change[static_cast<size_t>(k)] += factor * x[k];
          for (int64_t k = 0; k < options.dimensions; ++k) x[k] += factor * u[k];
        }
        for (int64_t k = 0; k < options.dimensions; ++k) u[k] += change[static_cast<size_t>(k)];
      }
    }
  }
  return pairs;
}

}  // namespace geniepath::bench
