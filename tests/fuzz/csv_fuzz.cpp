// Any bytes, as tables: the reader itself, then as edges and nodes, which a line "----" parts.
// What goes well must make a valid data set; what does not must be an Error.
#include <cstdlib>

#include "data/csv.h"
#include "data/tables.h"
#include "fuzz_file.h"
#include "geniepath/error.h"

namespace {

using namespace geniepath;

void read_rows(std::string_view text) {
  try {
    CsvReader table(text, "fuzz.csv");
    size_t width = 0;
    while (table.next()) {
      if (width != 0 && table.fields().size() != width) std::abort();
      width = table.fields().size();
    }
  } catch (const Error&) {
  }
}

void load(std::string_view text) {
  static const testing::FuzzFile edges_file("edges.csv"), nodes_file("nodes.csv");
  constexpr std::string_view kParting = "----\n";
  const size_t parting = text.find(kParting);
  TableOptions options;
  options.unknown_nodes = "add";
  options.missing = "zero";
  options.edges = edges_file.write(text.substr(0, parting)).string();
  if (parting != std::string_view::npos) {
    options.nodes = nodes_file.write(text.substr(parting + kParting.size())).string();
  }
  Dataset data;
  try {
    data = load_tables(options);
  } catch (const Error&) {
    return;
  }
  data.validate();  // throws out of the fuzzer where the loader let something through
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_rows(text);
  load(text);
  return 0;
}
