#include "geniepath/version.h"

#define GENIEPATH_TEXT(x) #x
#define GENIEPATH_VERSION_TEXT(major, minor, patch) \
  GENIEPATH_TEXT(major) "." GENIEPATH_TEXT(minor) "." GENIEPATH_TEXT(patch)

namespace geniepath {

const char* version() {
  return GENIEPATH_VERSION_TEXT(GENIEPATH_VERSION_MAJOR, GENIEPATH_VERSION_MINOR, GENIEPATH_VERSION_PATCH);
}

}  // namespace geniepath
