// The twins of optional libraries: each names the package to install. Linked into this program, they take precedence
// over the library's own.
#include <gtest/gtest.h>

#include "data/formats/ppi.h"
#include "expect_error.h"
#include "geniepath/data.h"
#include "io/csv.h"
#include "io/download.h"
#include "io/gzip.h"
#include "io/mat.h"
#include "io/npz.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

TEST(WithoutLibraries, EachSaysWhichPackageIsMissing) {
  EXPECT_ERROR(load_ppi("folder"), "folder: reading PPI needs simdjson (package libsimdjson-dev)");
  EXPECT_ERROR(MatFile("a.mat"), "a.mat: reading MATLAB files needs libmatio (package libmatio-dev)");
  EXPECT_ERROR(GzipReader("a.gz"), "a.gz: reading gzip needs zlib (package zlib1g-dev)");
  EXPECT_ERROR(inflate("x", 1, "a.zip"), "a.zip: inflating needs zlib (package zlib1g-dev)");
  EXPECT_ERROR(NpzFile::open("a.npz"), "a.npz: a zip archive needs zlib (package zlib1g-dev)");
  EXPECT_ERROR(download({}, {}), "install libcurl4-openssl-dev");
  EXPECT_ERROR(download_archive({}, {}), "install libcurl4-openssl-dev");
  EXPECT_FALSE(MatFile::available());
  EXPECT_FALSE(GzipReader::available());
}

TEST(WithoutLibraries, LoadersPassItOn) {
  const testing::ScratchFolder scratch;
  const auto table = scratch.write("edges.csv", "\x1f\x8b rest");
  EXPECT_ERROR(CsvReader(table).next(), "edges.csv: reading gzip needs zlib");
  for (const char* file : {"ppi-G.json", "ppi-class_map.json", "ppi-feats.npy", "ppi-id_map.json"})
    scratch.write(file, "");
  DataOptions options;
  options.data = scratch.path().string();
  EXPECT_ERROR(load_dataset(options), "reading PPI needs simdjson");
}

}  // namespace
}  // namespace geniepath
