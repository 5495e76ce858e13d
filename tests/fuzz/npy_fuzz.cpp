#include "io/npy.h"
#include "fuzz_input.h"

FUZZ_TARGET(npy)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  return fuzz::only_errors([&] { parse_npy(fuzz::bytes_of(data, size), "input"); });
}
