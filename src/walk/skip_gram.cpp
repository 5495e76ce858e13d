#include "walk/skip_gram.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <numeric>

#include "geniepath/error.h"
#include "kernels/cpu/skip_gram.h"

namespace geniepath::walk {
namespace {

using kernels::NodePair;
using kernels::SkipGramBlock;

constexpr int64_t kPairsAtOnce = 1 << 22;
constexpr int64_t kWalksAChunk = 64;
constexpr int64_t kNodesAPart = 128, kMostParts = 64;
constexpr double kLeastRate = 1e-4;  // as a fraction of the initial rate
enum Stream : uint64_t { kStartStream = 32, kPartStream, kWindowStream, kNegativeStream, kInitStream };

int64_t parts_for(int64_t nodes) { return std::clamp<int64_t>(nodes / kNodesAPart, 1, kMostParts); }

at::Tensor drawn(int64_t nodes, int64_t dimensions, uint64_t seed) {
  at::Tensor rows = at::empty({nodes, dimensions});
  const RandomStream stream{seed, kInitStream};
  auto* out = rows.data_ptr<float>();
  for (int64_t n = 0; n < rows.numel(); ++n) {
    out[n] = static_cast<float>((stream.uniform(static_cast<uint64_t>(n)) - 0.5) / static_cast<double>(dimensions));
  }
  return rows;
}

}  // namespace

void append_pairs(std::span<const NodeId> walk, int64_t window, Random random, std::vector<NodePair>& pairs) {
  const auto length = static_cast<int64_t>(walk.size());
  for (int64_t at = 0; at < length; ++at) {
    const auto reach = 1 + static_cast<int64_t>(random.below(static_cast<uint64_t>(window)));
    for (int64_t other = std::max<int64_t>(0, at - reach); other <= std::min(length - 1, at + reach); ++other) {
      if (other != at) pairs.push_back({walk[static_cast<size_t>(at)], walk[static_cast<size_t>(other)]});
    }
  }
}

// Pairs as drawn, one chunk per group of walks, then sorted by block.
struct SkipGram::Episode {
  std::vector<std::vector<NodePair>> chunks;
  std::vector<NodePair> sorted;
  std::vector<int64_t> block_begin;  // of block i * parts + j in `sorted`
};

SkipGram::SkipGram(const Graph& graph, const Walker& walker, const SkipGramOptions& options)
    : center(drawn(graph.num_nodes(), options.dimensions, options.seed)),
      context(at::zeros({graph.num_nodes(), options.dimensions})),
      graph_(graph),
      walker_(walker),
      options_(options),
      num_parts_(parts_for(graph.num_nodes())),
      starts_(static_cast<size_t>(graph.num_nodes())),
      part_of_(static_cast<size_t>(graph.num_nodes())) {
  if (options.negatives < 1 || options.negatives > kernels::kMostNegatives) {
    fail("skip-gram: ", options.negatives, " negatives, expected 1 to ", kernels::kMostNegatives);
  }
}

// Deals every n nodes of similar degree to the n parts at random, one each, so that parts have similar size and work.
void SkipGram::deal_nodes(int64_t epoch) {
  const auto number = static_cast<uint64_t>(epoch);
  std::iota(starts_.begin(), starts_.end(), 0);
  shuffle(starts_, Random{options_.seed, kStartStream, number});
  std::vector<NodeId> order = starts_;
  const Adjacency& out = graph_.outgoing();
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return out.degree(a) > out.degree(b); });
  std::vector<std::vector<NodeId>> members(static_cast<size_t>(num_parts_));
  std::vector<int32_t> parts(members.size());
  std::iota(parts.begin(), parts.end(), 0);
  for (size_t n = 0; n < order.size(); ++n) {
    const size_t turn = n % parts.size();
    if (turn == 0) shuffle(parts, Random{options_.seed, kPartStream, number, n});
    part_of_[static_cast<size_t>(order[n])] = parts[turn];
    members[static_cast<size_t>(parts[turn])].push_back(order[n]);
  }
  std::vector<NodeId> grouped;
  std::vector<int64_t> begin{0};
  for (const std::vector<NodeId>& part : members) {
    grouped.insert(grouped.end(), part.begin(), part.end());
    begin.push_back(static_cast<int64_t>(grouped.size()));
  }
  negatives_.clear();
  negatives_.emplace_back(graph_, std::move(grouped), std::move(begin));
}

SkipGram::Episode SkipGram::draw_pairs(int64_t epoch, int64_t first_walk, int64_t last_walk) const {
  const int64_t chunks = (last_walk - first_walk + kWalksAChunk - 1) / kWalksAChunk;
  Episode episode;
  episode.chunks.resize(static_cast<size_t>(chunks));
  at::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
    std::vector<NodeId> walk(static_cast<size_t>(options_.length));
    for (int64_t chunk = begin; chunk < end; ++chunk) {
      const int64_t first = first_walk + chunk * kWalksAChunk, last = std::min(first + kWalksAChunk, last_walk);
      for (int64_t w = first; w < last; ++w) {
        const NodeId start = starts_[static_cast<size_t>(w)];
        const auto number = static_cast<uint64_t>(epoch);
        const int64_t length = walker_.walk(start, number, walk);
        append_pairs({walk.data(), static_cast<size_t>(length)}, options_.window,
                     Random{options_.seed, kWindowStream, static_cast<uint64_t>(start), number},
                     episode.chunks[static_cast<size_t>(chunk)]);
      }
    }
  });
  sort_pairs(episode, chunks);
  return episode;
}

// Counting sort: within a block, pairs keep the order of their chunks.
void SkipGram::sort_pairs(Episode& episode, int64_t chunks) const {
  const int64_t blocks = num_parts_ * num_parts_;
  const auto block_of = [&](const NodePair& pair) {
    return part_of_[static_cast<size_t>(pair.center)] * num_parts_ + part_of_[static_cast<size_t>(pair.context)];
  };
  std::vector<int64_t> place(static_cast<size_t>(chunks * blocks));  // position of a chunk's next pair in a block
  const auto for_each_chunk = [&](const auto& body) {
    at::parallel_for(0, chunks, 1, [&](int64_t begin, int64_t end) {
      for (int64_t chunk = begin; chunk < end; ++chunk) {
        int64_t* own = place.data() + chunk * blocks;
        for (const NodePair& pair : episode.chunks[static_cast<size_t>(chunk)]) body(own[block_of(pair)], pair);
      }
    });
  };
  for_each_chunk([](int64_t& count, const NodePair&) { ++count; });
  int64_t sum = 0;
  for (int64_t block = 0; block < blocks; ++block) {
    episode.block_begin.push_back(sum);
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      sum += std::exchange(place[static_cast<size_t>(chunk * blocks + block)], sum);
    }
  }
  episode.block_begin.push_back(sum);
  episode.sorted.resize(static_cast<size_t>(sum));
  for_each_chunk([&](int64_t& at, const NodePair& pair) { episode.sorted[static_cast<size_t>(at++)] = pair; });
  episode.chunks.clear();
}

double SkipGram::train(const Episode& episode, float rate, uint64_t key) {
  double loss = 0;
  for (int64_t round = 0; round < num_parts_; ++round) {
    std::vector<SkipGramBlock> blocks;
    for (int64_t i = 0; i < num_parts_; ++i) {
      const int64_t j = (i + round) % num_parts_, block = i * num_parts_ + j;
      const int64_t begin = episode.block_begin[static_cast<size_t>(block)];
      const int64_t end = episode.block_begin[static_cast<size_t>(block) + 1];
      blocks.push_back({episode.sorted.data() + begin, end - begin, negatives_[0].sampler(j), options_.negatives,
                        options_.dimensions, rate, RandomStream{key, static_cast<uint64_t>(block)}.key(), 0});
    }
    kernels::cpu::run(kernels::cpu::SkipGram{blocks, center.data_ptr<float>(), context.data_ptr<float>(),
                                             options_.threads});
    for (const SkipGramBlock& block : blocks) loss += block.loss;
  }
  return loss;
}

SkipGram::EpochResult SkipGram::run_epoch(int64_t epoch, int64_t epochs) {
  deal_nodes(epoch);
  const auto walks = static_cast<int64_t>(starts_.size());
  const int64_t walks_at_once = std::max<int64_t>(1, kPairsAtOnce / (options_.length * (options_.window + 1)));
  EpochResult result;
  for (int64_t first = 0; first < walks; first += walks_at_once) {
    const double done = (static_cast<double>(epoch - 1) + static_cast<double>(first) / static_cast<double>(walks)) /
                        static_cast<double>(epochs);
    const double rate = options_.rate * std::max(kLeastRate, 1 - done);
    const Episode episode = draw_pairs(epoch, first, std::min(first + walks_at_once, walks));
    const RandomStream negatives{options_.seed, kNegativeStream, static_cast<uint64_t>(epoch),
                                 static_cast<uint64_t>(first)};
    result.loss += train(episode, static_cast<float>(rate), negatives.key());
    result.pairs += static_cast<int64_t>(episode.sorted.size());
  }
  if (result.pairs > 0) result.loss /= static_cast<double>(result.pairs);
  return result;
}

}  // namespace geniepath::walk
