// The JSON files of the PPI data set, parsed in place (simdjson on demand); only the values are kept.
//   node-link   {"nodes": [{"id": 0, "val": false, "test": false}, ...], "links": [{"source": 0, "target": 1}, ...]}
//   id map      {"0": 0, "1": 1, ...}                  node id -> row of the features
//   class map   {"50088": [0, 1, 0, ...], ...}         node id -> 0 or 1 per label; ids in any order
// Keys may come in any order, unknown ones are skipped. Errors carry the byte offset.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geniepath/graph.h"

namespace geniepath {

struct NodeLink {
  std::vector<NodeId> id;  // of the nodes, as listed
  std::vector<uint8_t> is_valid, is_test;
  std::vector<NodeId> source, target;  // ids
};

struct ClassMap {
  size_t width = 0;          // labels per node
  std::vector<NodeId> id;    // as listed
  std::vector<uint8_t> bit;  // [ids, width]
};

struct IdMap {
  std::vector<NodeId> id, row;
};

// `where` names the file in messages.
NodeLink parse_node_link(std::string_view text, const std::string& where);
ClassMap parse_class_map(std::string_view text, const std::string& where);
IdMap parse_id_map(std::string_view text, const std::string& where);

}  // namespace geniepath
