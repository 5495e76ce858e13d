// What the shared library shows: the library is compiled with everything hidden, and public headers open their namespace
// with this mark.
#pragma once

#define GENIEPATH_EXPORT __attribute__((visibility("default")))
