// Dividing a mapped graph file takes memory in proportion to its nodes.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <new>

#include "base/file_memory.h"
#include "data/formats/graph_file.h"
#include "expect_error.h"
#include "partition/piece_file.h"
#include "partition/stream_owners.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath::partition {
namespace {

TEST(FileMemory, IsZeroedAndTakesNoName) {
  const testing::ScratchFolder scratch;
  const auto memory = file_memory(scratch.path(), 100'000);
  const auto* bytes = static_cast<const char*>(memory.get());
  EXPECT_TRUE(std::all_of(bytes, bytes + 100'000, [](char b) { return b == 0; }));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
  EXPECT_EQ(file_memory(scratch.path(), 0), nullptr);
}

TEST(FileMemory, ThatFindsNoRoomIsAnError) {
  const testing::ScratchFolder scratch;
  EXPECT_ERROR(file_memory(scratch.path(), size_t{1} << 60), "in a temporary file");
  EXPECT_ERROR(file_memory(scratch / "missing", 1), "cannot create a temporary file");
}

// The whole of a process's private writable memory, which RLIMIT_DATA limits.
size_t data_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmData:", 0) == 0) return static_cast<size_t>(std::stoull(line.substr(7))) << 10;
  }
  return 0;
}

class MemoryLimit {
 public:
  explicit MemoryLimit(size_t more) {
    ::getrlimit(RLIMIT_DATA, &before_);
    const rlimit limit{data_bytes() + more, before_.rlim_max};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
  ~MemoryLimit() { ::setrlimit(RLIMIT_DATA, &before_); }

 private:
  rlimit before_{};
};

Dataset wide_ring(NodeId nodes) {
  Dataset data = testing::ring_data(1, nodes, false);
  data.features = Features(at::rand({nodes, 1024}));
  return data;
}

void divide(const Dataset& data, const CutOptions& options, const std::filesystem::path& folder) {
  const std::vector<int32_t> owner = streamed_owners(data, 2);
  for (int32_t rank = 0; rank < 2; ++rank)
    write_piece(folder, {"wide", rank, 2}, cut_piece(data, owner, rank, options));
}

// 160 MB of features, pieces of 80 MB, 32 MB of memory.
TEST(StreamedPiece, OfAGraphFileLargerThanTheMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  constexpr size_t kMemory = 32 << 20;
  const testing::ScratchFolder scratch;
  const CutOptions in_file{.memory = [&](size_t bytes) { return file_memory(scratch.path(), bytes); },
                           .blank_halo = true};
  write_graph_file(scratch / "small.safetensors", wide_ring(2'000));
  write_graph_file(scratch / "graph.safetensors", wide_ring(40'000));
  divide(read_graph_file(scratch / "small.safetensors"), in_file, scratch.path());  // threads take their stacks
  {
    const MemoryLimit limit(kMemory);
    const Dataset data = read_graph_file(scratch / "graph.safetensors");
    EXPECT_THROW(divide(data, {.blank_halo = true}, scratch.path()), std::bad_alloc);
    divide(data, in_file, scratch.path());
  }
  const Dataset data = read_graph_file(scratch / "graph.safetensors");
  const Piece piece = read_piece(scratch.path(), {"wide", 1, 2}),
              expected = cut_piece(data, streamed_owners(data, 2), 1);
  EXPECT_EQ(piece.node, expected.node);
  EXPECT_TRUE(piece.data.features.dense().equal(expected.data.features.dense()));
}

}  // namespace
}  // namespace geniepath::partition
