// Comparison of attention and receptive paths with the true edges of a data set.
#pragma once

#include <span>
#include <vector>

#include "geniepath/path_quality.h"

namespace geniepath::explain {

class RecoveryMeter {
 public:
  // `layers`: T.
  RecoveryMeter(const Dataset& data, int64_t layers);

  // Whole rows: for each target all edges into it but its self-loop, one target after the other.
  void add_rows(std::span<const PathEdge> edges);
  void add_paths(const Explanation& explanation);
  PathRecovery result() const;

 private:
  void add_row(std::span<const PathEdge> row);
  bool is_true(NodeId source, NodeId target) const;
  bool is_true(const ReceptivePath& path) const;
  double true_paths_into(NodeId node, int64_t hops) const;

  Graph truth_;  // the true edges but self-loops
  PathRecovery sum_;
};

}  // namespace geniepath::explain
