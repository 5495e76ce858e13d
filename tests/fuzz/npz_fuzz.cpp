#include "io/npz.h"
#include "fuzz_input.h"

FUZZ_TARGET(npz)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  return fuzz::only_errors([&] {
    const NpzFile file = NpzFile::parse(fuzz::bytes_of(data, size), "input");
    for (const auto& [name, _] : file.zip().members()) file.zip().read(name);
    for (const auto& [name, _] : file.zip().members()) file.read(name.substr(0, name.rfind(".npy")));
  });
}
