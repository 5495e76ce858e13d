#include "data/formats/ppi.h"

#include "geniepath/error.h"

namespace geniepath {

Dataset load_ppi(const std::filesystem::path& folder) {
  fail(folder.string(), ": reading PPI needs simdjson (package libsimdjson-dev), which this build lacks");
}

}  // namespace geniepath
