#include "io/torch_file.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "data/formats/csr_arrays.h"
#include "expect_error.h"
#include "io/torch_writer.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::data_pickle;
using testing::small_tensors;
using testing::SmallTensor;
using testing::stored;
using testing::torch_file;

std::map<std::string, at::Tensor> read(const std::string& bytes) {
  return read_torch_data(ZipFile::parse(std::as_bytes(std::span(bytes)), "a.pt"));
}

TEST(TorchFile, TensorsComeBackInRowOrder) {
  const auto tensors = read(torch_file(small_tensors()));
  EXPECT_TRUE(tensors.at("x").equal(at::tensor({1, 4, 2, 5, 3, 6}, at::kFloat).view({3, 2})));
  EXPECT_TRUE(tensors.at("edge_index").equal(at::tensor({0, 1, 1, 2}, at::kLong).view({2, 2})));
  EXPECT_EQ(tensors.at("y").scalar_type(), at::kDouble);
}

TEST(TorchFile, SaysWhatIsWrong) {
  const auto with = [](const SmallTensor& x) {
    auto tensors = small_tensors();
    tensors[0] = x;
    return read(torch_file(tensors));
  };
  EXPECT_ERROR(with({"x", "FloatStorage", 7, 0, {3, 2}, {1, 3}}),
               "a storage of 7 elements, but its member has 24 bytes");
  EXPECT_ERROR(with({"x", "FloatStorage", 6, 1, {3, 2}, {1, 3}}), "reaches beyond its storage of 6 elements");
  EXPECT_ERROR(with({"x", "FloatStorage", 6, 0, {4, 2}, {0, 1}}), "reaches beyond its storage");
  EXPECT_ERROR(with({"x", "FloatStorage", 6, 0, {3, 2}, {1}}), "reaches beyond its storage");
  EXPECT_ERROR(with({"x", "FloatStorage", 6, 0, {3, 2}, {1, -3}}), "reaches beyond its storage");
  EXPECT_ERROR(with({"x", "HalfStorage", 6, 0, {3, 2}, {1, 3}}), "the global 'torch.HalfStorage' is not supported");
  EXPECT_ERROR(read(testing::zip_file({stored("a", "b")})), "a.pt: no member data.pkl");
  EXPECT_ERROR(read(testing::zip_file({stored("a/data.pkl", testing::pickled("N"))})),
               "the file is None, expected an object");
}

TEST(TorchFile, RefusesEveryCutOfThePickle) {
  const std::string whole = data_pickle(small_tensors());
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(read(testing::zip_file({stored("a/data.pkl", whole.substr(0, length))})), Error) << length;
  }
}

TEST(TorchFile, BecomesAGraph) {
  testing::ScratchFolder folder;
  const auto load = [&](const std::string& file) {
    return load_edge_index_arrays(
        folder.write("small.pt.zip", testing::zip_file({testing::deflated("small.pt", file)})), "small");
  };
  const Dataset data = load(torch_file(small_tensors()));
  data.validate();
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(data.graph.num_edges(), 2);
  EXPECT_EQ(load_edge_index_arrays(folder.path(), "small").graph.num_edges(), 2) << "the only one in a folder";
  EXPECT_ERROR(load(torch_file(small_tensors(), {0, 0.5, 1})), "small.pt: y: a label is not a whole number");
  auto without = small_tensors();
  without.pop_back();
  EXPECT_ERROR(load(torch_file(without)), "no tensor 'y'");
}

TEST(TorchFile, ThePublishedRedditGraphIsThatOfItsArrays) {
  REQUIRE_REAL_DATA(folder, "pygod-reddit");
  const Dataset pickled = load_edge_index_arrays(folder / "reddit.pt.zip", "reddit");
  const Dataset arrays = load_edge_index_arrays(folder, "reddit");
  EXPECT_TRUE(pickled.features.dense().equal(arrays.features.dense()));
  EXPECT_TRUE(pickled.labels.equal(arrays.labels));
  const auto a = pickled.graph.incoming().neighbour.span(), b = arrays.graph.incoming().neighbour.span();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

}  // namespace
}  // namespace geniepath
