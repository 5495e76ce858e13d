// Any bytes, as tables: the reader itself, then as edges and nodes, separated by a line "----".
// An accepted input must give a valid data set; any other must be an Error.
#include <cstdlib>

#include "fuzz_input.h"
#include "geniepath/tables.h"
#include "io/csv.h"

namespace {

using namespace geniepath;

void read_rows(std::string_view text) {
  CsvReader table(text, "fuzz.csv");
  size_t width = 0;
  while (table.next()) {
    if (width != 0 && table.fields().size() != width) std::abort();
    width = table.fields().size();
  }
}

void load(std::string_view text) {
  constexpr std::string_view kParting = "----\n";
  const size_t parting = text.find(kParting);
  const fuzz::InputFile edges(text.substr(0, parting));
  const fuzz::InputFile nodes(parting == std::string_view::npos ? "" : text.substr(parting + kParting.size()));
  TableOptions options;
  options.unknown_nodes = UnknownNodes::kAdd;
  options.missing = Missing::kZero;
  options.edges = edges.path();
  if (parting != std::string_view::npos) options.nodes = nodes.path();
  fuzz::expect_valid(load_tables(options));
}

}  // namespace

FUZZ_TARGET(csv)(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz::only_errors([&] { read_rows(text); });
  return fuzz::only_errors([&] { load(text); });
}
