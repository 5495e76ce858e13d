#include "data/safetensors.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

std::string header_only(const std::string& header, const std::string& data = "") {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

TEST(Safetensors, GoThroughAFileUnchanged) {
  testing::ScratchFolder folder;
  TensorFile file;
  file.tensors = {{"f32", at::arange(6, at::kFloat).view({2, 3})},
                  {"f64", at::full({1}, 0.1, at::kDouble)},
                  {"bf16", at::ones({3}, at::kBFloat16)},
                  {"i64", at::arange(3, at::kLong)},
                  {"i32", at::arange(3, at::kInt)},
                  {"u8", at::arange(5).to(at::kByte)},
                  {"empty", at::empty({0, 4}, at::kFloat)},
                  {"turned", at::arange(6, at::kFloat).view({2, 3}).t()}};
  file.metadata = {{"format", "test"}};
  write_safetensors(folder / "a.safetensors", file);
  const TensorFile back = read_safetensors(folder / "a.safetensors");
  EXPECT_EQ(back.metadata, file.metadata);
  ASSERT_EQ(back.tensors.size(), file.tensors.size());
  for (const auto& [name, tensor] : file.tensors) {
    EXPECT_EQ(back.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
    EXPECT_TRUE(back.tensors.at(name).equal(tensor)) << name;
  }
}

TEST(Safetensors, RefusesEveryCutOfAFile) {
  testing::ScratchFolder folder;
  write_safetensors(folder / "a", {{{"x", at::arange(100, at::kFloat)}}, {}});
  const std::string whole = read_text(folder / "a");
  for (size_t length = 0; length < whole.size(); length += 7) {
    EXPECT_THROW(read_safetensors(folder.write("cut", whole.substr(0, length))), Error) << length;
  }
}

TEST(Safetensors, SaysWhatIsWrong) {
  testing::ScratchFolder folder;
  const auto read = [&](const std::string& bytes) { return read_safetensors(folder.write("x", bytes)); };
  EXPECT_ERROR(read("abc"), "3 bytes, too short");
  EXPECT_ERROR(read(std::string(8, '\xff') + "{}"), "the header is said to take");
  EXPECT_ERROR(read(header_only("{,}")), "the header is not JSON");
  EXPECT_ERROR(read(header_only("[]")), "not a JSON object");
  EXPECT_ERROR(read(header_only(R"({"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}})", "x")), "dtype 'F8'");
  EXPECT_ERROR(read(header_only(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "x")), "do not lie in");
  EXPECT_ERROR(read(header_only(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", "x")), "1 bytes for a");
  EXPECT_ERROR(read(header_only(R"({"a":{"dtype":"U8","shape":[-2],"data_offsets":[0,1]}})", "x")), "expected a size");
  EXPECT_ERROR(read(header_only(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4611686018427387904],)"
                                R"("data_offsets":[0,0]}})")),
               "overflows");
  EXPECT_ERROR(read(header_only(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", "x")), "no dtype");
}

}  // namespace
}  // namespace geniepath
