#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <vector>

#include "base/mapped_pages.h"
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

// Pages of these bytes that the process holds, as the kernel counts them.
size_t resident_pages(std::span<const std::byte> bytes) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  std::vector<uint64_t> entries(bytes.size() / page);
  const int map = ::open("/proc/self/pagemap", O_RDONLY);  // no stream: it takes whole entries only
  const auto size = static_cast<ssize_t>(entries.size() * sizeof(uint64_t));
  EXPECT_EQ(::pread(map, entries.data(), static_cast<size_t>(size), static_cast<off_t>(begin / page * sizeof(uint64_t))), size);
  ::close(map);
  return static_cast<size_t>(std::count_if(entries.begin(), entries.end(), [](uint64_t entry) { return entry >> 63; }));
}

TEST(File, LetsGoOfWhatWasReadAndReadsItAgain) {
  testing::ScratchFolder folder;
  const std::string text(1 << 20, 'x');
  const auto file = MappedFile::open(folder.write("a", text));
  const auto bytes = file->bytes().first(text.size());
  EXPECT_EQ(file->text(), text);
  EXPECT_EQ(resident_pages(bytes), text.size() / static_cast<size_t>(::sysconf(_SC_PAGESIZE)));
  let_go_of_mapped(bytes.subspan(1));  // the page it begins in is also that of the byte before
  EXPECT_EQ(resident_pages(bytes), 1u);
  EXPECT_EQ(file->text(), text);
}

TEST(File, DoesNotLetGoOfOtherMemory) {
  const std::vector<std::byte> own(1 << 20, std::byte{7});
  let_go_of_mapped(own);
  EXPECT_EQ(std::count(own.begin(), own.end(), std::byte{7}), std::ssize(own));
}

// Reads the last byte of a file that was cut once it was mapped.
void read_a_file_cut_short(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  std::filesystem::resize_file(path, 1);
  const volatile std::byte last = file->bytes().back();
  static_cast<void>(last);
}

TEST(FileDeathTest, CutShortWhileMappedIsSaid) {
  testing::ScratchFolder folder;
  const auto path = folder.write("a", std::string(1 << 20, 'x'));
  EXPECT_EXIT(
      {
        exit_when_a_mapping_is_lost("program", 2);
        read_a_file_cut_short(path);
      },
      ::testing::ExitedWithCode(2), "^program: .*/a: cannot be read any more: it became shorter");
}

TEST(FileDeathTest, OtherBusErrorsEndAsTheyWould) {
  EXPECT_EXIT(
      {
        exit_when_a_mapping_is_lost("program", 2);
        ::raise(SIGBUS);
      },
      ::testing::KilledBySignal(SIGBUS), "");
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
