#include "training/neighbour_sampler.h"

#include <algorithm>
#include <charconv>

#include "base/random.h"
#include "geniepath/error.h"

namespace geniepath::training {
namespace {

constexpr NodeId kNone = -1;

int64_t parse_count(std::string_view text, const std::string& whole, const char* option) {
  if (text == "all") return kAllNeighbours;
  int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 1 || count > 1000000) {
    fail("option ", option, ": '", whole,
         "': expected numbers from 1 to 1000000, or all, separated by commas, such as 10,10,5");
  }
  return count;
}

}  // namespace

std::vector<int64_t> parse_fan_out(const std::string& text, const char* option) {
  std::vector<int64_t> counts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    counts.push_back(parse_count(std::string_view(text).substr(begin, end - begin), text, option));
    begin = end + 1;
  }
  return counts;
}

NeighbourSampler::NeighbourSampler(const Graph& graph, std::vector<int64_t> fan_out, Draw draw)
    : rows_(graph.incoming()),
      fan_out_(std::move(fan_out)),
      draw_(draw),
      place_(static_cast<size_t>(graph.num_nodes()), kNone) {}

Neighbourhood NeighbourSampler::sample(std::span<const NodeId> seeds, uint64_t key) {
  nodes_.clear(), neighbour_.clear();
  offset_.assign(1, 0);
  for (const NodeId seed : seeds) add(seed);
  size_t begin = 0;
  for (const int64_t count : fan_out_) {
    const size_t end = nodes_.size();
    for (size_t n = begin; n < end; ++n) expand(nodes_[n], count, key);
    begin = end;
  }
  offset_.resize(nodes_.size() + 1, static_cast<EdgeId>(neighbour_.size()));
  for (const NodeId node : nodes_) place_[static_cast<size_t>(node)] = kNone;
  return {nodes_, {std::vector<EdgeId>(offset_), std::vector<NodeId>(neighbour_)}};
}

NodeId NeighbourSampler::add(NodeId node) {
  NodeId& place = place_[static_cast<size_t>(node)];
  if (place == kNone) {
    place = static_cast<NodeId>(nodes_.size());
    nodes_.push_back(node);
  }
  return place;
}

void NeighbourSampler::expand(NodeId node, int64_t fan_out, uint64_t key) {
  const auto neighbours = rows_.neighbours(node);
  const size_t first = neighbour_.size();
  if (fan_out == kAllNeighbours || std::ssize(neighbours) <= fan_out) {
    for (const NodeId j : neighbours) neighbour_.push_back(add(j));
  } else if (draw_ == Draw::kUniform) {
    draw_uniform(neighbours, fan_out, node, key);
  } else {
    draw_labor(neighbours, fan_out, key);
  }
  std::sort(neighbour_.begin() + static_cast<ptrdiff_t>(first), neighbour_.end());
  offset_.push_back(static_cast<EdgeId>(neighbour_.size()));
}

// Each subset is equally likely: Floyd's method, and for many the positions with the smallest random numbers.
void NeighbourSampler::draw_uniform(std::span<const NodeId> neighbours, int64_t count, NodeId node, uint64_t key) {
  constexpr int64_t kMany = 64;
  const RandomStream random{key, static_cast<uint64_t>(node)};
  if (count > kMany) {
    rank(neighbours, count, [&](size_t position) { return random.bits(position); });
    return;
  }
  positions_.clear();
  for (size_t last = neighbours.size() - static_cast<size_t>(count); last < neighbours.size(); ++last) {
    const size_t drawn = random.below(last, last + 1);
    const bool taken = std::find(positions_.begin(), positions_.end(), drawn) != positions_.end();
    positions_.push_back(taken ? last : drawn);
  }
  for (const size_t position : positions_) neighbour_.push_back(add(neighbours[position]));
}

void NeighbourSampler::draw_labor(std::span<const NodeId> neighbours, int64_t count, uint64_t key) {
  const RandomStream random{key};
  rank(neighbours, count, [&](size_t position) { return random.bits(static_cast<uint64_t>(neighbours[position])); });
}

template <class Number>
void NeighbourSampler::rank(std::span<const NodeId> neighbours, int64_t count, const Number& number) {
  ranked_.clear();
  for (size_t position = 0; position < neighbours.size(); ++position) ranked_.push_back({number(position), position});
  const auto end = ranked_.begin() + count;
  std::nth_element(ranked_.begin(), end, ranked_.end());
  std::sort(ranked_.begin(), end);  // so that nodes are numbered alike by any library
  for (auto chosen = ranked_.begin(); chosen != end; ++chosen) neighbour_.push_back(add(neighbours[chosen->position]));
}

}  // namespace geniepath::training
