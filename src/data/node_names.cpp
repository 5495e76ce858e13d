#include "data/node_names.h"

#include <charconv>

#include "io/csv.h"

namespace geniepath {

NodeNames::NodeNames(const Dataset& data) : num_nodes_(data.graph.num_nodes()) {
  for (const std::string& name : data.node_names) names_.add(name);
}

std::optional<NodeId> NodeNames::find(std::string_view name) const {
  if (const auto found = find_as_written(name)) return found;
  NumberText digits;
  return find_as_written(whole_number_text(name, digits));
}

std::optional<NodeId> NodeNames::find_as_written(std::string_view name) const {
  if (names_.size() > 0) {
    const int32_t number = names_.find(name);
    return number < 0 ? std::nullopt : std::optional<NodeId>(number);
  }
  NodeId node = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), node);
  const bool whole = problem == std::errc() && end == name.data() + name.size();
  if (!whole || node < 0 || node >= num_nodes_ || name != std::to_string(node)) return std::nullopt;
  return node;
}

}  // namespace geniepath
