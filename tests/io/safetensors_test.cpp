#include "io/safetensors.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>

#include "base/file.h"
#include "expect_error.h"
#include "flipped_bits.h"
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

TEST(Safetensors, InPiecesHaveTheSameBytesAndAppearWhole) {
  testing::ScratchFolder folder;
  const TensorFile file{
      {{"wide", at::arange(5, at::kLong)}, {"rows", at::arange(6, at::kFloat).view({3, 2})}, {"none", at::empty({0})}},
      {{"format", "test"}}};
  write_safetensors(folder / "whole", file);
  {
    SafetensorsWriter writer(folder / "pieces", file.metadata, shapes_of(file.tensors));
    const auto bytes = [&](const char* name) {
      const at::Tensor& tensor = file.tensors.at(name);
      return std::span(static_cast<const std::byte*>(tensor.data_ptr()), tensor.nbytes());
    };
    writer.write("rows", 8, bytes("rows").subspan(8));
    writer.write("wide", 0, bytes("wide"));
    writer.write("rows", 0, bytes("rows").first(8));
    for (const auto& [name, tensor] : writer.read().tensors) EXPECT_TRUE(tensor.equal(file.tensors.at(name))) << name;
    writer.seal();
    EXPECT_FALSE(std::filesystem::exists(folder / "pieces"));
    writer.take_place();
  }
  EXPECT_EQ(read_text(folder / "pieces"), read_text(folder / "whole"));
}

TEST(Safetensors, InPiecesVanishUnlessTheyTakeTheirPlace) {
  testing::ScratchFolder folder;
  {
    constexpr std::array kValues{1, 2};
    SafetensorsWriter writer(folder / "pieces", {}, {{"x", {at::kInt, {2}}}});
    writer.write("x", 0, std::as_bytes(std::span(kValues)));
    writer.seal();
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
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
  EXPECT_ERROR(read(header_only("{,}")), "the header: not JSON");
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

TEST(Safetensors, RefusesAHeaderNestedWithoutEnd) {
  testing::ScratchFolder folder;
  const std::string deep = std::string(800'000, '[') + std::string(800'000, ']');
  const auto read = [&](const std::string& header) { return read_safetensors(folder.write("x", header_only(header))); };
  EXPECT_ERROR(read(std::string(800'000, '[')), "x: the header: lists and objects nested");
  EXPECT_ERROR(read(R"({"a":{"dtype":"U8","shape":[)" + deep + R"(],"data_offsets":[0,0]}})"), "nested");
  EXPECT_ERROR(read(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":)" + deep + "}}"), "nested");
}

// Whether the contents survived; a checksum with a damaged name counts as one more metadata entry.
bool holds(const TensorFile& a, const TensorFile& b) {
  return std::includes(a.metadata.begin(), a.metadata.end(), b.metadata.begin(), b.metadata.end()) &&
         std::equal(a.tensors.begin(), a.tensors.end(), b.tensors.begin(), b.tensors.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && x.second.scalar_type() == y.second.scalar_type() &&
                             x.second.equal(y.second);
                    });
}

TEST(Safetensors, AFlippedBitIsSeenOrChangesNothing) {
  testing::ScratchFolder folder;
  const TensorFile file{{{"x", at::arange(9, at::kFloat)}, {"y", at::arange(3)}}, {{"note", "text"}}};
  write_safetensors(folder / "a", file);
  size_t read = 0;
  testing::for_flipped_bits(read_text(folder / "a"), 400, [&](const std::string& flipped, size_t bit) {
    try {
      EXPECT_TRUE(holds(read_safetensors(folder.write("flipped", flipped)), file)) << bit;
      ++read;
    } catch (const Error&) {
    }
  });
  EXPECT_LT(read, 8 * std::string_view("\"geniepath_checksum\":\"xxh64:\"").size())
      << "only without its name it is not seen";
}

TEST(Safetensors, DamageIsSaidAndCanBeReadOver) {
  testing::ScratchFolder folder;
  write_safetensors(folder / "a", {{{"x", at::zeros({2}, at::kFloat)}}, {}});
  std::string bytes = read_text(folder / "a");
  bytes.back() = '\x40';
  const auto path = folder.write("damaged", bytes);
  EXPECT_ERROR(read_safetensors(path), "damaged: damaged: its bytes have the checksum ");
  EXPECT_EQ(read_safetensors(path, Checksums::kSkip).tensors.at("x")[1].item<float>(), 2.0f);
  bytes = read_text(folder / "a");
  bytes[bytes.find("xxh64:")] = 'y';
  EXPECT_ERROR(read_safetensors(folder.write("other", bytes)), "its checksum is of an unknown kind, expected xxh64");
}

TEST(Safetensors, OfOtherProgramsNeedNoChecksum) {
  testing::ScratchFolder folder;
  const auto path = folder.write("x", header_only(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "\7"));
  EXPECT_EQ(read_safetensors(path).tensors.at("a").item<int>(), 7);
}

TEST(Safetensors, WhatWasLearnedIsFinite) {
  testing::ScratchFolder folder;
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    write_safetensors(folder / "a",
                      {{{"good", at::ones({3})}, {"x", at::tensor({1.0f, bad})}, {"n", at::ones({2}, at::kLong)}}, {}});
    EXPECT_ERROR(read_learned(folder / "a"), "a: tensor 'x' holds numbers that are NaN or infinite");
  }
}

}  // namespace
}  // namespace geniepath
