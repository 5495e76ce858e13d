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

  // A node without a name is called by its index.
  std::optional<NodeId> find(std::string_view name) const;
  NodeId size() const { return num_nodes_; }

 private:
  NodeId num_nodes_;
  Interner names_;  // empty: nodes are named by index
};

}  // namespace geniepath
