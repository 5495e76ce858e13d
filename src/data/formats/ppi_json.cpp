#include "data/formats/ppi_json.h"

#include <simdjson.h>

#include <limits>

#include "geniepath/error.h"
#include "io/csv.h"

namespace geniepath {
namespace {

namespace ondemand = simdjson::ondemand;

// A document and the current position in it, for messages.
struct Walk {
  Walk(std::string_view json, std::string file) : text(json), name(std::move(file)) {}

  simdjson::padded_string text;
  ondemand::parser parser;
  ondemand::document document;
  std::string name;
  bool begun = false;  // before that, the document has no position

  std::string where() {
    const char* at = nullptr;
    if (!begun || document.current_location().get(at) != simdjson::SUCCESS) return name;
    return name + ": byte " + std::to_string(at - text.data());
  }
};

template <class Visit>
void walk_json(std::string_view text, const std::string& name, const Visit& visit) {
  Walk walk(text, name);
  try {
    walk.document = walk.parser.iterate(walk.text);
    walk.begun = true;
    visit(walk);
    const bool at_end = walk.document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    if (!at_end) fail(walk.where(), ": expected the end of the file after the JSON object");
  } catch (const simdjson::simdjson_error& error) {
    fail(walk.where(), ": ", error.what());
  }
}

NodeId checked_id(int64_t value, const char* what, Walk& walk) {
  if (value < 0 || value > std::numeric_limits<NodeId>::max()) {
    fail(walk.where(), ": ", what, " is ", value, ", expected 0 to ", std::numeric_limits<NodeId>::max());
  }
  return static_cast<NodeId>(value);
}

NodeId id_of_key(std::string_view key, Walk& walk) {
  const auto number = parse_integer(key);
  if (!number) fail(walk.where(), ": the key \"", key, "\" is not a node id, expected a whole number");
  return checked_id(*number, "a node id", walk);
}

void read_nodes(ondemand::array nodes, NodeLink& graph, Walk& walk) {
  for (ondemand::object node : nodes) {
    int64_t id = -1;
    bool valid = false, test = false;
    for (auto field : node) {
      const ondemand::raw_json_string key = field.key();
      if (key == "id") {
        id = field.value().get_int64();
      } else if (key == "val") {
        valid = field.value().get_bool();
      } else if (key == "test") {
        test = field.value().get_bool();
      }
    }
    if (valid && test) fail(walk.where(), ": node ", id, " is in both splits, val and test");
    graph.id.push_back(checked_id(id, "a node's \"id\"", walk));
    graph.is_valid.push_back(valid);
    graph.is_test.push_back(test);
  }
}

void read_links(ondemand::array links, NodeLink& graph, Walk& walk) {
  for (ondemand::object link : links) {
    int64_t source = -1, target = -1;
    for (auto field : link) {
      const ondemand::raw_json_string key = field.key();
      if (key == "source") {
        source = field.value().get_int64();
      } else if (key == "target") {
        target = field.value().get_int64();
      }
    }
    graph.source.push_back(checked_id(source, "a link's \"source\"", walk));
    graph.target.push_back(checked_id(target, "a link's \"target\"", walk));
  }
}

void read_bits(ondemand::array bits, ClassMap& map, Walk& walk) {
  const size_t before = map.bit.size();
  for (auto item : bits) {
    const int64_t bit = item.get_int64();
    if (bit != 0 && bit != 1) fail(walk.where(), ": a label is ", bit, ", expected 0 or 1");
    map.bit.push_back(static_cast<uint8_t>(bit));
  }
  const size_t found = map.bit.size() - before;
  if (map.id.size() == 1) map.width = found;
  if (found != map.width) {
    fail(walk.where(), ": node ", map.id.back(), " has ", found, " labels, the first one has ", map.width);
  }
}

}  // namespace

NodeLink parse_node_link(std::string_view text, const std::string& where) {
  NodeLink graph;
  walk_json(text, where, [&](Walk& walk) {
    bool nodes = false, links = false;
    for (auto field : walk.document.get_object()) {
      const ondemand::raw_json_string key = field.key();
      if (key == "nodes") {
        if (nodes) fail(walk.where(), ": \"nodes\" appears twice");
        nodes = true;
        read_nodes(field.value().get_array(), graph, walk);
      } else if (key == "links") {
        if (links) fail(walk.where(), ": \"links\" appears twice");
        links = true;
        read_links(field.value().get_array(), graph, walk);
      }
    }
    if (!nodes || !links) {
      fail(where, ": expected the keys \"nodes\" and \"links\", found no ", nodes ? "links" : "nodes");
    }
  });
  return graph;
}

ClassMap parse_class_map(std::string_view text, const std::string& where) {
  ClassMap map;
  walk_json(text, where, [&](Walk& walk) {
    for (auto field : walk.document.get_object()) {
      map.id.push_back(id_of_key(field.unescaped_key(), walk));
      read_bits(field.value().get_array(), map, walk);
    }
  });
  return map;
}

IdMap parse_id_map(std::string_view text, const std::string& where) {
  IdMap map;
  walk_json(text, where, [&](Walk& walk) {
    for (auto field : walk.document.get_object()) {
      map.id.push_back(id_of_key(field.unescaped_key(), walk));
      map.row.push_back(checked_id(field.value().get_int64(), "a row", walk));
    }
  });
  return map;
}

}  // namespace geniepath
