// The nodes that a node is compared with: the training nodes of its type, or all nodes of the type if none of them is
// for training; if there are more, 10,000 drawn with a fixed seed.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "data/tables/table_cells.h"

namespace geniepath::report {

// Equal bins from the 1st to the 99th percentile; values outside are counted in the first and last.
struct Histogram {
  double low = 0, high = 0, median = 0;
  std::vector<int64_t> counts;
};

// A number among others: shares of the smaller and of the equal ones.
struct Rank {
  double below = 0, equal = 0;
  double above() const { return 1 - below - equal; }
  double middle() const { return below + equal / 2; }
};

class TypicalNodes {
 public:
  // `data`: prepared; `cells`: of the same nodes.
  TypicalNodes(const Dataset& data, const TableCells& cells);

  // `like`: any node of the type.
  const at::Tensor& mean(NodeId like) const { return of(like).mean; }  // of the prepared features, f32 [P]
  int64_t count(NodeId like) const { return of(like).count; }
  // For columns of numbers and dates. Nodes whose cell is empty are left out; no bins if all are.
  Histogram histogram(NodeId like, const FeatureColumn& column) const;
  Rank rank(NodeId like, const FeatureColumn& column, float number) const;
  // Share of the nodes with each category.
  std::vector<double> shares(NodeId like, const FeatureColumn& column) const;

 private:
  // Values of one feature: the zeros of sparse features are only counted.
  struct Values {
    std::vector<float> nonzero;  // ascending
    int64_t count = 0;
    float quantile(double share) const;
    int64_t below(float number) const;
    int64_t equal(float number) const;
  };
  struct Group {
    int64_t count = 0;
    at::Tensor mean;
    std::vector<Values> values;  // per feature
  };

  static Group group_of(const Dataset& data, const TableCells& cells, std::vector<NodeId> nodes);
  const Group& of(NodeId like) const { return groups_[type_.empty() ? 0 : type_[static_cast<size_t>(like)]]; }

  const std::vector<uint8_t>& type_;
  std::vector<Group> groups_;  // per type
};

}  // namespace geniepath::report
