// Any bytes, as a file of torch.save.
#include "fuzz_input.h"
#include "io/torch_file.h"

FUZZ_TARGET(torch_file)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  return fuzz::only_errors([&] { read_torch_data(ZipFile::parse(fuzz::bytes_of(data, size), "input")); });
}
