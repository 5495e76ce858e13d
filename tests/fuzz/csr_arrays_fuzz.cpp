// Any bytes, as an .npz of a graph in compressed rows. Labels and values are validated once loaded, not by the reader.
#include "data/formats/csr_arrays.h"
#include "fuzz_input.h"

FUZZ_TARGET(csr_arrays)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  const fuzz::InputFile file(data, size);
  return fuzz::only_errors([&] { load_csr_arrays(file.path(), "input").validate(); });
}
