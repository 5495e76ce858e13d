#include <gtest/gtest.h>

#include "data/npz.h"
#include "expect_error.h"

namespace geniepath {
namespace {

TEST(Npz, NamesTheMissingPackage) {
  EXPECT_ERROR(NpzFile::open("a.npz"), "a.npz: a zip archive needs zlib (package zlib1g-dev)");
}

}  // namespace
}  // namespace geniepath
