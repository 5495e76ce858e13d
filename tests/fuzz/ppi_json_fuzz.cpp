// Any bytes, as each of PPI's JSON files: read, or refused with an Error.
#include <cstdlib>

#include "data/formats/ppi_json.h"
#include "fuzz_input.h"

FUZZ_TARGET(ppi_json)(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  geniepath::fuzz::only_errors([&] {
    const auto graph = geniepath::parse_node_link(text, "fuzz");
    if (graph.source.size() != graph.target.size() || graph.id.size() != graph.is_test.size()) std::abort();
  });
  geniepath::fuzz::only_errors([&] {
    const auto map = geniepath::parse_class_map(text, "fuzz");
    if (map.bit.size() != map.id.size() * map.width) std::abort();
  });
  geniepath::fuzz::only_errors([&] { geniepath::parse_id_map(text, "fuzz"); });
  return 0;
}
