// Version numbers, the only copy: CMakeLists.txt reads them from here.
#pragma once

#include "geniepath/export.h"

#define GENIEPATH_VERSION_MAJOR 0
#define GENIEPATH_VERSION_MINOR 1
#define GENIEPATH_VERSION_PATCH 0

// Comparable: GENIEPATH_VERSION >= GENIEPATH_MAKE_VERSION(0, 2, 0).
#define GENIEPATH_MAKE_VERSION(major, minor, patch) ((major) * 1000000 + (minor) * 1000 + (patch))
#define GENIEPATH_VERSION \
  GENIEPATH_MAKE_VERSION(GENIEPATH_VERSION_MAJOR, GENIEPATH_VERSION_MINOR, GENIEPATH_VERSION_PATCH)

namespace geniepath GENIEPATH_EXPORT {

// "0.1.0": version of the linked library, which may be newer than these headers.
const char* version();

}  // namespace geniepath
