#include "base/file.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

TEST(File, MapsWhatWasWritten) {
  testing::ScratchFolder folder;
  write_atomically(folder / "a", [](std::ostream& out) { out << "hello"; });
  EXPECT_EQ(MappedFile::open(folder / "a")->text(), "hello");
  EXPECT_EQ(read_text(folder / "a"), "hello");
  EXPECT_EQ(MappedFile::open(folder.write("empty", ""))->bytes().size(), 0u);
}

TEST(File, AFailedWriteLeavesTheOldFileAndNothingElse) {
  testing::ScratchFolder folder;
  folder.write("a", "old");
  EXPECT_THROW(write_atomically(folder / "a",
                                [](std::ostream& out) {
                                  out << "half";
                                  throw Error("stop");
                                }),
               Error);
  EXPECT_EQ(read_text(folder / "a"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(File, SaysWhichFileAndWhy) {
  testing::ScratchFolder folder;
  EXPECT_ERROR(MappedFile::open(folder / "none"), "none: cannot open: No such file");
  EXPECT_ERROR(MappedFile::open(folder.path()), "expected a file");
  EXPECT_ERROR(write_atomically(folder / "no/such/x", [](std::ostream&) {}), "no/such/x: cannot write");
}

}  // namespace
}  // namespace geniepath
