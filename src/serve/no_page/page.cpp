#include "serve/page.h"

namespace geniepath::serve {

std::span<const PageFile> page_files() { return {}; }

}  // namespace geniepath::serve
