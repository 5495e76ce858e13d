// Any bytes, as each of PPI's JSON files: read, or refused with an Error.
#include <cstdlib>

#include "data/ppi_json.h"
#include "geniepath/error.h"

namespace {

template <class Parse>
void try_to(const Parse& parse) {
  try {
    parse();
  } catch (const geniepath::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_to([&] {
    const auto graph = geniepath::parse_node_link(text, "fuzz");
    if (graph.source.size() != graph.target.size() || graph.id.size() != graph.is_test.size()) std::abort();
  });
  try_to([&] {
    const auto map = geniepath::parse_class_map(text, "fuzz");
    if (map.bit.size() != map.id.size() * map.width) std::abort();
  });
  try_to([&] { geniepath::parse_id_map(text, "fuzz"); });
  return 0;
}
