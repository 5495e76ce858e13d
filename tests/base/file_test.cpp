#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "base/folder_lock.h"
#include "base/line_file.h"
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

// Number of resident pages within these bytes, as counted by the kernel.
size_t resident_pages(std::span<const std::byte> bytes) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data());
  std::vector<uint64_t> entries(bytes.size() / page);
  const int map = ::open("/proc/self/pagemap", O_RDONLY);  // not a stream: only whole entries can be read
  const auto size = static_cast<ssize_t>(entries.size() * sizeof(uint64_t));
  EXPECT_EQ(
      ::pread(map, entries.data(), static_cast<size_t>(size), static_cast<off_t>(begin / page * sizeof(uint64_t))),
      size);
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
  let_go_of_mapped(bytes.subspan(1));  // its first page also contains the byte before
  EXPECT_EQ(resident_pages(bytes), 1u);
  EXPECT_EQ(file->text(), text);
}

TEST(File, DoesNotLetGoOfOtherMemory) {
  const std::vector<std::byte> own(1 << 20, std::byte{7});
  let_go_of_mapped(own);
  EXPECT_EQ(std::count(own.begin(), own.end(), std::byte{7}), std::ssize(own));
}

// Reads the last byte of a file that was truncated after it was mapped.
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
      ::testing::ExitedWithCode(2), "^program: .*/a: can no longer be read: it was truncated");
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
  EXPECT_ERROR(read_text(folder.path()), "expected a file, found a folder, pipe or device");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0666), 0);
  EXPECT_ERROR(read_text(folder / "pipe"), "found a folder, pipe or device");  // nobody writes into it
  EXPECT_ERROR(MappedFile::open(folder / "pipe"), "found a folder, pipe or device");
  EXPECT_ERROR(read_text("/dev/zero"), "found a folder, pipe or device");
  folder.write("file", "x");
  EXPECT_ERROR(make_folder(folder / "file"), "file: cannot create the folder: File exists");
  EXPECT_ERROR(make_folder(folder / "file/a/b"), "file/a: cannot create the folder: Not a directory");
  EXPECT_NO_THROW(make_folder(folder / "a/b/"));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
}

void write_x(const std::filesystem::path& path) {
  write_atomically(path, [](std::ostream& out) { out << "x"; });
}

TEST(File, ALinkStaysAndWhatItLeadsToIsReplaced) {
  testing::ScratchFolder folder;
  folder.write("kept/target", "old");
  std::filesystem::create_symlink("kept/target", folder / "link");
  std::filesystem::create_symlink(folder / "link", folder / "link-to-link");
  std::filesystem::create_symlink("kept/new", folder / "link-to-nothing");
  write_x(folder / "link-to-link");
  write_x(folder / "link-to-nothing");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link-to-link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link-to-nothing"));
  EXPECT_EQ(read_text(folder / "kept/target"), "x");
  EXPECT_EQ(read_text(folder / "kept/new"), "x");
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_ERROR(write_x(folder / "loop"), "loop: cannot write: Too many levels of symbolic links");
}

TEST(File, APipeTakesTheBytesAndStaysAPipe) {
  testing::ScratchFolder folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  check_writable(pipe);  // does not wait for a reader
  std::string read;
  std::thread reader([&] { std::getline(std::ifstream(pipe), read, '\0'); });
  write_x(pipe);
  reader.join();
  EXPECT_EQ(read, "x");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(File, FoldersAndDevicesAreRefusedAndStay) {
  testing::ScratchFolder folder;
  for (const auto& write : {write_x, check_writable}) {
    EXPECT_ERROR(write(folder.path()), "is a folder; name a file in it");
    EXPECT_ERROR(write("/dev/full"), "/dev/full: is a device; expected a file, a pipe or /dev/stdout");
    EXPECT_ERROR(write(folder / "none/x"), "none/x: cannot write: No such file");
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  check_writable(folder / "new");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "a check leaves nothing";
}

TEST(File, WhatAKilledWriterLeftIsRemovedByTheNextOne) {
  testing::ScratchFolder folder;
  folder.write("a.part123", "half");
  folder.write("a.part9.2", "half");
  for (const char* other : {"a.partner", "a.part", "b.part7", "a.part5"}) folder.write(other, "mine");
  const int writing = ::open((folder / "a.part5").c_str(), O_RDONLY);  // by a process that is alive
  ASSERT_EQ(::flock(writing, LOCK_EX), 0);
  write_x(folder / "a");
  ::close(writing);
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) found.insert(entry.path().filename());
  EXPECT_EQ(found, (std::set<std::string>{"a", "a.part", "a.part5", "a.partner", "b.part7"}));
}

TEST(File, ManyThreadsMayWriteTheSameFile) {
  testing::ScratchFolder folder;
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'i'; ++letter) {
    writers.emplace_back([&folder, letter] {
      for (int n = 0; n < 20; ++n) {
        write_atomically(folder / "a", [&](std::ostream& out) { out << std::string(100000, letter); });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = read_text(folder / "a");
  EXPECT_EQ(text, std::string(100000, text[0]));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(LineFile, GrowsByWholeLines) {
  testing::ScratchFolder folder;
  LineFile(folder / "lines").add("one");
  LineFile lines(folder / "lines");
  lines.add("two");
  lines.flush();
  EXPECT_EQ(read_text(folder / "lines"), "one\ntwo\n");
  EXPECT_ERROR(LineFile("/dev/full").add("one"), "/dev/full: cannot write");
}

TEST(FolderLock, TheSecondIsToldWhoHoldsIt) {
  testing::ScratchFolder folder;
  {
    const FolderLock first(folder.path());
    EXPECT_ERROR(FolderLock(folder.path()), "in use by process " + std::to_string(::getpid()) + " on ");
    EXPECT_ERROR(FolderLock(folder.path()), " UTC; wait for it to end, or choose another folder");
  }
  EXPECT_NO_THROW(FolderLock(folder.path()));
  EXPECT_FALSE(lock_where_there(folder / "none"));
  EXPECT_ERROR(FolderLock(folder / "none"), "cannot write: No such file");
}

}  // namespace
}  // namespace geniepath
