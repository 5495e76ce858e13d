// Any bytes, as a run's model.json: an accepted one survives a round trip of writing and reading.
#include <nlohmann/json.hpp>

#include "base/checksum.h"
#include "fuzz_input.h"
#include "run/description_json.h"

FUZZ_TARGET(run_json)(const uint8_t* data, size_t size) {
  using namespace geniepath;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  return fuzz::only_errors([&] {
    const auto once = to_json(run_description_from_json(parse_sealed_json(text, "model.json"), "model.json"));
    const auto twice = to_json(run_description_from_json(parse_sealed_json(sealed_json(once), "again"), "again"));
    fuzz::expect(once == twice, "a run that changes on its way through a file");
  });
}
