// Any bytes, as a safetensors file, ignoring the checksum.
#include "fuzz_input.h"
#include "io/safetensors.h"

FUZZ_TARGET(safetensors)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  const fuzz::InputFile file(data, size);
  return fuzz::only_errors([&] { read_safetensors(file.path(), Checksums::kSkip); });
}
