// Any bytes, as our own graph file, ignoring the checksum: an accepted file gives a valid data set.
#include "data/formats/graph_file.h"
#include "fuzz_input.h"

FUZZ_TARGET(graph_file)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  const fuzz::InputFile file(data, size);
  fuzz::only_errors([&] { read_feature_names(file.path()); });
  return fuzz::only_errors([&] { fuzz::expect_valid(read_graph_file(file.path(), Checksums::kSkip)); });
}
