// Finds the nodes of a data set by name.
#pragma once

#include <optional>
#include <string_view>

#include "geniepath/dataset.h"
#include "io/interner.h"

namespace geniepath {

class NodeNames {
 public:
  explicit NodeNames(const Dataset& data);

  // A node without a name is called by its index. Whole numbers are found however they are written, as in tables: 838.0
  // and 8.38e+02 name node 838.
  std::optional<NodeId> find(std::string_view name) const;
  NodeId size() const { return num_nodes_; }

 private:
  std::optional<NodeId> find_as_written(std::string_view name) const;

  NodeId num_nodes_;
  Interner names_;  // empty: nodes are named by index
};

}  // namespace geniepath
