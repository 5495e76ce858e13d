#include "io/byte_reader.h"
#include "data/formats/planetoid.h"
#include "fuzz_input.h"

// The eight files in the order of PlanetoidFiles, each after its length in 16 bits.
FUZZ_TARGET(planetoid)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  return fuzz::only_errors([&] {
    ByteReader in(fuzz::bytes_of(data, size), "input");
    const auto next = [&] { return in.take(in.number<uint16_t>("a length"), "a file"); };
    const PlanetoidFiles files{next(), next(), next(), next(), next(), next(), next(), next()};
    parse_planetoid(files, "", "input").validate();
  });
}
