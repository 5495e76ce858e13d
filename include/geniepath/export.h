// Visibility of the shared library's symbols: everything is hidden except what the public headers declare, in
// namespaces opened with this mark.
#pragma once

#define GENIEPATH_EXPORT __attribute__((visibility("default")))
