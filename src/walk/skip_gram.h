// Node embeddings by skip-gram with negative sampling over random walks: node2vec, and DeepWalk with p = q = 1.
//
// Plain stochastic gradient descent, in parallel, with the same bits for any number of threads (the scheme of
// GraphVite, Zhu et al. 2019). In every epoch the nodes are dealt into n parts, where n depends only on the number of
// nodes. Pairs come in episodes of a few million, never all at once, and are sorted into n x n blocks by the parts of
// their center and context. In round d the n blocks (i, i + d mod n) run in parallel: no two share a row, since a block
// draws its negatives from its own context part; within a block, pairs are processed in order.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "kernels/skip_gram.h"
#include "walk/negative_table.h"
#include "walk/walker.h"

namespace geniepath::walk {

struct SkipGramOptions {
  int64_t length = 80;     // nodes per walk
  int64_t window = 10;     // a node's contexts are the nodes up to w steps away, w drawn from 1 .. window
  int64_t negatives = 5;
  int64_t dimensions = 128;
  double rate = 0.025;     // initial; falls linearly to nearly 0 at the end of the last epoch
  uint64_t seed = 1;
  int threads = 1;
};

class SkipGram {
 public:
  // An epoch is one walk from every node.
  SkipGram(const Graph& graph, const Walker& walker, const SkipGramOptions& options);

  struct EpochResult {
    double loss = 0;  // mean over the pairs
    int64_t pairs = 0;
  };
  // Epoch 1 .. epochs.
  EpochResult run_epoch(int64_t epoch, int64_t epochs);

  // [N, dimensions] each. `center` is the embedding; a run resumes from both.
  at::Tensor center, context;

  int64_t num_parts() const { return num_parts_; }

 private:
  struct Episode;
  void deal_nodes(int64_t epoch);
  Episode draw_pairs(int64_t epoch, int64_t first_walk, int64_t last_walk) const;
  void sort_pairs(Episode& episode, int64_t chunks) const;
  double train(const Episode& episode, float rate, uint64_t key);

  Graph graph_;
  const Walker& walker_;
  SkipGramOptions options_;
  int64_t num_parts_;
  std::vector<NodeId> starts_;      // start nodes of the epoch's walks, in order
  std::vector<int32_t> part_of_;    // of each node in this epoch
  std::vector<NegativeTable> negatives_;  // a single one, for this epoch's parts
};

// The pairs of one walk: each node with the nodes up to w steps before and after it. Appends to `pairs`.
void append_pairs(std::span<const NodeId> walk, int64_t window, Random random, std::vector<kernels::NodePair>& pairs);

}  // namespace geniepath::walk
