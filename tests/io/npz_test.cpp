#include "io/npz.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "data/formats/csr_arrays.h"
#include "expect_error.h"
#include "io/pickle_writer.h"
#include "io/zip_writer.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::deflated;
using testing::npy_file;
using testing::stored;
using testing::zip_file;

NpzFile parse(const std::string& bytes) { return NpzFile::parse(std::as_bytes(std::span(bytes)), "a.npz"); }

at::Tensor read_a(const testing::ZipMember& member) {
  const std::string bytes = zip_file({member});
  return parse(bytes).read("a");
}

TEST(Npz, StoredAndDeflatedMembersComeBack) {
  testing::ScratchFolder folder;
  const at::Tensor a = at::arange(1000, at::kFloat).view({10, 100}), b = at::arange(3);
  const at::Tensor zeros = at::zeros({100000});
  const std::string bytes = zip_file({stored("a.npy", npy_file(a)), deflated("b.npy", npy_file(b)),
                                      deflated("zeros.npy", npy_file(zeros)), stored("note.txt", "hello")},
                                     "a comment");
  const NpzFile file = NpzFile::open(folder.write("a.npz", bytes));
  EXPECT_EQ(file.zip().members().size(), 4u);
  EXPECT_TRUE(file.contains("a") && file.contains("b") && !file.contains("note"));
  EXPECT_TRUE(file.read("a").equal(a));
  EXPECT_TRUE(file.read("b").equal(b));
  EXPECT_TRUE(file.read("zeros").equal(zeros));
}

TEST(Npz, AnArrayOutlivesItsFile) {
  testing::ScratchFolder folder;
  const at::Tensor a = at::arange(1000, at::kFloat);
  for (const auto& member : {stored("a.npy", npy_file(a)), deflated("a.npy", npy_file(a))}) {
    const at::Tensor array = NpzFile::open(folder.write("a.npz", zip_file({member}))).read("a");
    EXPECT_TRUE(array.equal(a));
  }
}

TEST(Npz, RefusesEveryCutOfAFile) {
  const std::string whole = zip_file({deflated("a.npy", npy_file(at::arange(10)))});
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(parse(whole.substr(0, length)), Error) << length;
  }
}

TEST(Npz, SaysWhatIsWrongWithTheArchive) {
  testing::ScratchFolder folder;
  const auto member = stored("a.npy", npy_file(at::arange(2)));
  const std::string whole = zip_file({member});
  const auto with = [&](size_t from_end, const std::string& bytes) {
    return std::string(whole).replace(whole.size() - from_end, bytes.size(), bytes);
  };
  EXPECT_ERROR(NpzFile::open(folder.write("e.npz", "")),
               "e.npz: not a zip archive: the end record is missing from its 0");
  EXPECT_ERROR(parse("no zip file, but long enough for one"), "the end record is missing from its 36 bytes");
  EXPECT_ERROR(parse(with(12, std::string(14 - 10, '\xff'))), "a zip64 archive");
  EXPECT_ERROR(parse(with(18, "\1")), "an archive in several pieces");
  EXPECT_ERROR(parse(with(10, "\xff\xff\xff\x7f")), "but ends at");
  EXPECT_ERROR(parse(with(6, std::string("\3\0\0\0", 4))), "expected an entry of the directory");
  EXPECT_ERROR(parse(zip_file({member, member})), "member 'a.npy' appears twice");
  auto wrong = member;
  wrong.flags = 1;
  EXPECT_ERROR(parse(zip_file({wrong})), "member 'a.npy' is encrypted");
  wrong = member;
  wrong.unpacked = 0xffffffff;
  EXPECT_ERROR(parse(zip_file({wrong})), "member 'a.npy' is zip64");
  EXPECT_ERROR(parse(whole).read("b"), "a.npz: no member 'b.npy'");
  EXPECT_ERROR(parse(std::string(whole).replace(0, 2, "XX")).read("a"), "expected the local header of 'a.npy'");
  EXPECT_ERROR(parse(std::string(whole).replace(30, 1, "b")).read("a"), "is called 'b.npy' in its local header");
}

TEST(Npz, SaysWhatIsWrongWithAMember) {
  const std::string array = npy_file(at::zeros({100}));
  auto wrong = stored("a.npy", array);
  wrong.crc ^= 1;
  EXPECT_ERROR(read_a(wrong), "a.npz: a.npy: the checksum is");
  wrong = deflated("a.npy", array);
  wrong.crc ^= 1;
  EXPECT_ERROR(read_a(wrong), "the archive is damaged");
  wrong = stored("a.npy", array);
  ++wrong.unpacked;
  EXPECT_ERROR(read_a(wrong), "stored, but of 528 bytes packed and 529 unpacked");
  wrong.method = 12;
  EXPECT_ERROR(read_a(wrong), "packed by method 12, expected stored (0) or deflated (8)");
  wrong = deflated("a.npy", array);
  wrong.packed.resize(wrong.packed.size() / 2);
  EXPECT_ERROR(read_a(wrong), "the deflated data is too short");
  wrong = deflated("a.npy", array);
  wrong.packed[0] = '\x07';  // a block of the reserved type
  EXPECT_ERROR(read_a(wrong), "the deflated data is damaged: 0 bytes of 528");
  EXPECT_ERROR(read_a(stored("a.npy", "")), "not a NumPy array");
  EXPECT_ERROR(read_a(deflated("a.npy", "")), "not a NumPy array");
}

TEST(Npz, RefusesZipBombs) {
  auto bomb = deflated("a.npy", npy_file(at::zeros({1000})));
  bomb.unpacked = 3u << 30;  // from some 60 bytes
  EXPECT_ERROR(read_a(bomb), "bytes: a zip bomb");
  bomb.packed.resize(4 << 20);  // possible for deflate, but not for an array of this size
  EXPECT_ERROR(read_a(bomb), "said to unpack from 4194304 to 3221225472 bytes: a zip bomb");
  bomb = deflated("a.npy", npy_file("<f4", "10", std::string(4000, '\0')));
  EXPECT_ERROR(read_a(bomb), "said to unpack to 4128 bytes, but its shape takes 168");
  bomb = deflated("a.npy", npy_file("<f4", "10", std::string(4000, '\0')));
  bomb.unpacked = 168;
  EXPECT_ERROR(read_a(bomb), "unpacks to more than its 168 bytes");
}

TEST(Npz, HoldsAGraphOfCsrArrays) {
  testing::ScratchFolder folder;
  const auto member = [](const std::string& name, const at::Tensor& array) {
    return deflated(name + ".npy", npy_file(array));
  };
  const auto indices = member("adj_indices", testing::vector<int32_t>({1}));
  const auto labels = member("label", testing::vector<int32_t>({0, 1})), attr = member("attr", at::ones({2, 3}));
  const auto indptr = member("adj_indptr", testing::vector<int32_t>({0, 1, 1}));
  const std::string bytes = zip_file({indptr, indices, attr, labels});
  const Dataset data = load_csr_arrays(folder.write("graph.npz", bytes), "small");
  data.validate();
  EXPECT_EQ(data.graph.num_edges(), 2);
  EXPECT_EQ(data.features.num_features(), 3);
  const auto too_long = member("adj_indptr", testing::vector<int32_t>({0, 1, 9}));
  EXPECT_ERROR(load_csr_arrays(folder.write("graph.npz", zip_file({too_long, indices})), "small"),
               "graph.npz: adj_indptr: the rows end at entry 9");
}

TEST(Npz, HoldsAGraphOfPickledMatrices) {
  testing::ScratchFolder folder;
  const auto graph_file = [&](const testing::SmallCsr& adjacency, const std::string& descr = "|O") {
    const testing::SmallCsr features{2, 3, {0, 1, 2}, {0, 2}, {1, 7}};
    return folder.write("graph.npz",
                        zip_file({deflated("adj_matrix.npy", testing::object_npy(adjacency, descr)),
                                  deflated("node_attr.npy", testing::object_npy(features)),
                                  deflated("node_label.npy", npy_file(testing::vector<int32_t>({0, 1})))}));
  };
  const testing::SmallCsr adjacency{2, 2, {0, 2, 3}, {0, 1, 0}, {0, 1, 1}};
  for (const auto& path : {graph_file(adjacency), folder.path()}) {
    const Dataset data = load_csr_arrays(path, "small");
    data.validate();
    EXPECT_EQ(data.graph.num_edges(), 2) << "an entry of 0 is no edge";
    EXPECT_EQ(data.features.sparse().to_dense()[1][2].item<float>(), 7);
  }
  EXPECT_ERROR(load_csr_arrays(graph_file({2, 3, {0, 0, 0}, {}, {}}), "small"), "2 rows and 3 columns");
  EXPECT_ERROR(load_csr_arrays(graph_file({2, 2, {0, 1, 1}, {9}, {1}}), "small"), "graph.npz: adj_matrix: ");
  EXPECT_ERROR(load_csr_arrays(graph_file(adjacency, "<i4"), "small"), "expected '|O'");
}

TEST(Npz, ReadsThePublishedPhysicsMatricesAsTheirArrays) {
  REQUIRE_REAL_DATA(folder, "coauthor-physics");
  const Dataset pickled = load_csr_arrays(folder / "coauthor_phy.npz", "physics");
  const Dataset arrays = load_csr_arrays(folder, "physics");
  pickled.validate();
  EXPECT_EQ(pickled.graph.num_edges(), 495924);
  const auto a = pickled.graph.incoming().neighbour.span(), b = arrays.graph.incoming().neighbour.span();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  const auto x = pickled.features.sparse().value.span(), y = arrays.features.sparse().value.span();
  EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end()));
  EXPECT_EQ(pickled.features.num_features(), 8415);
  EXPECT_TRUE(pickled.labels.equal(arrays.labels));
}

TEST(Npz, ReadsThePublishedPhysicsLabelsBesidePickledObjects) {
  REQUIRE_REAL_DATA(folder, "coauthor-physics");
  const NpzFile file = NpzFile::open(folder / "coauthor_phy.npz");
  const at::Tensor labels = file.read("node_label");
  EXPECT_EQ(labels.scalar_type(), at::kInt);
  EXPECT_EQ(labels.bincount().to(at::kLong).sum().item<int64_t>(), 34493);
  EXPECT_ERROR(file.read_object("node_label"), "'<i4', expected '|O', a pickled Python object");
  EXPECT_ERROR(file.read("adj_matrix"), "adj_matrix.npy: byte 20: '|O' holds pickled Python objects");
}

}  // namespace
}  // namespace geniepath
