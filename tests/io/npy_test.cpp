#include "io/npy.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "io/numpy_writer.h"
#include "real_data.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::npy_file;
using testing::raw;

at::Tensor read_npy_bytes(const std::string& bytes) { return parse_npy(std::as_bytes(std::span(bytes)), "a.npy"); }

TEST(Npy, EveryDtypeAndVersionComesBack) {
  testing::ScratchFolder folder;
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kHalf, at::kChar, at::kShort, at::kInt, at::kLong,
                                    at::kByte, at::kBool}) {
    const at::Tensor array = at::arange(6).view({2, 3}).to(type);
    const at::Tensor back = read_npy(folder.write("a.npy", npy_file(array)));
    EXPECT_EQ(back.scalar_type(), type);
    EXPECT_TRUE(back.equal(array)) << at::toString(type);
  }
  for (const int version : {1, 2, 3}) {
    const at::Tensor back = read_npy_bytes(npy_file("<i4", "2,", raw(std::vector<int32_t>{4, 5}), version));
    EXPECT_TRUE(back.equal(at::tensor({4, 5}, at::kInt)));
  }
}

TEST(Npy, UnsignedIntegersAreWidened) {
  const at::Tensor narrow = read_npy_bytes(npy_file("<u2", "2", raw(uint16_t{65535}) + raw(uint16_t{1})));
  EXPECT_TRUE(narrow.equal(at::tensor({65535, 1}, at::kInt)));
  const at::Tensor wide = read_npy_bytes(npy_file("<u4", "1", raw(uint32_t{4294967295u})));
  EXPECT_EQ(wide.item<int64_t>(), 4294967295);
}

TEST(Npy, ABoolIsWhateverIsNotZero) {
  EXPECT_TRUE(
      read_npy_bytes(npy_file("|b1", "2", std::string("\2\0", 2))).equal(at::tensor({1, 0}, at::kInt).to(at::kBool)));
}

TEST(Npy, ColumnOrderIsTurned) {
  const at::Tensor array = at::arange(24, at::kFloat).view({2, 3, 4});
  const at::Tensor turned = array.permute({2, 1, 0}).contiguous();  // the bytes of `array` in column order
  const std::string data(static_cast<const char*>(turned.data_ptr()), turned.nbytes());
  const at::Tensor back = read_npy_bytes(npy_file("<f4", "2, 3, 4", data, 1, true));
  EXPECT_TRUE(back.equal(array));
  EXPECT_TRUE(back.is_contiguous());
}

TEST(Npy, ScalarsEmptyArraysAndOddHeadersAreRead) {
  EXPECT_EQ(read_npy_bytes(npy_file("<f8", "", raw(0.5))).item<double>(), 0.5);
  EXPECT_EQ(read_npy_bytes(npy_file("<f4", "0, 7", "")).sizes(), (at::IntArrayRef{0, 7}));
  const std::string python_2 = npy_file(R"({"shape":(1L,),"fortran_order":False,"descr":"<i2"})", raw(int16_t{-3}));
  EXPECT_EQ(read_npy_bytes(python_2).item<int16_t>(), -3);
}

TEST(Npy, AnAlignedFileIsAWindowAndAnotherACopy) {
  const std::string file = npy_file(at::arange(4, at::kDouble));
  alignas(16) std::byte room[512];
  const auto owner = std::make_shared<int>(0);
  for (const size_t shift : {0, 1}) {
    std::memcpy(room + shift, file.data(), file.size());
    const at::Tensor array = parse_npy({room + shift, file.size()}, "a.npy", owner);
    EXPECT_TRUE(array.equal(at::arange(4, at::kDouble)));
    EXPECT_EQ(array.data_ptr() == room + 128, shift == 0);
  }
}

TEST(Npy, RefusesEveryCutOfAFile) {
  const std::string whole = npy_file(at::arange(10, at::kFloat));
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(read_npy_bytes(whole.substr(0, length)), Error) << length;
  }
}

TEST(Npy, SaysWhatIsWrong) {
  testing::ScratchFolder folder;
  EXPECT_ERROR(read_npy(folder.write("e.npy", "")), "e.npy: byte 0: not a NumPy array");
  EXPECT_ERROR(read_npy_bytes("PK\3\4..........."), "does not begin with \\x93NUMPY");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "1", "1234", 4)), "version 4.0 of the format, expected 1.0, 2.0 or 3.0");
  EXPECT_ERROR(read_npy_bytes("\x93NUMPY\1"), "byte 7: expected 1 bytes (the version), but 0 are left");
  EXPECT_ERROR(read_npy_bytes(std::string("\x93NUMPY\1\0\xff\xff{}", 12)),
               "byte 10: expected 65535 bytes (the header), but 2");
  EXPECT_ERROR(read_npy_bytes(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14)),
               "expected 4294967295 bytes (the header)");
  EXPECT_ERROR(read_npy_bytes(npy_file(">f4", "1", "1234")), "'>f4' is big-endian");
  EXPECT_ERROR(read_npy_bytes(npy_file("|O", "1", "1234")), "holds pickled Python objects");
  EXPECT_ERROR(read_npy_bytes(npy_file("<c8", "1", "12345678")), "dtype '<c8' is not one of");
  EXPECT_ERROR(read_npy_bytes(npy_file("", "1", "")), "dtype '' is not one of");
  EXPECT_ERROR(read_npy_bytes(npy_file("{'descr': [('a', '<f4')], 'shape': ()}", "")), "a structured array");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "3", "1234")), "byte 128: the shape takes 12 bytes, but 4 follow");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "1", "12345")), "the shape takes 4 bytes, but 5 follow");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "-1", "")), "expected a size in the shape, found '-1)");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "99999999999999999999", "")),
               "99999999999999999999 in the shape is too large");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "4294967296, 4294967296", "")), "the header's shape overflows");
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", "0, 4294967296, 4294967296", "")), "the header's shape overflows");
  std::string ones;
  for (int i = 0; i < 33; ++i) ones += "1, ";
  EXPECT_ERROR(read_npy_bytes(npy_file("<f4", ones, "1234")), "more than 32 dimensions");
  EXPECT_ERROR(read_npy_bytes(npy_file("['descr']", "")), "byte 10: expected '{' in the header, found '['descr'");
  EXPECT_ERROR(read_npy_bytes(npy_file("{'descr: ", "")), "is never closed");
  EXPECT_ERROR(read_npy_bytes(npy_file("{'shape': (), 'shape': ()}", "")), "the key 'shape' is unknown or repeated");
  EXPECT_ERROR(read_npy_bytes(npy_file("{'shape': ()}", "")), "lacks one of descr, fortran_order, shape");
  EXPECT_ERROR(read_npy_bytes(npy_file("{'shape': ()} x", "")), "expected the header's end, found 'x");
  EXPECT_ERROR(read_npy_bytes(npy_file("{'fortran_order': 0}", "")), "expected 'False' in the header, found '0}");
}

TEST(Npy, ReadsThePublishedPpiFeatures) {
  REQUIRE_REAL_DATA(folder, "ppi");
  const at::Tensor x = read_npy(folder / "ppi-feats.npy");
  EXPECT_EQ(x.sizes(), (at::IntArrayRef{56944, 50}));
  EXPECT_EQ(x.scalar_type(), at::kDouble);
  EXPECT_TRUE((x.eq(0) | x.eq(1)).all().item<bool>());
  EXPECT_EQ(x.select(1, 10).count_nonzero().item<int64_t>(), 0);
  EXPECT_EQ(x.sum(1).eq(0).sum().item<int64_t>(), 24211);
}

TEST(Npy, WhatIsWrittenComesBack) {
  testing::ScratchFolder folder;
  at::manual_seed(1);
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kInt, at::kLong}) {
    for (const at::Tensor& array :
         {at::randn({3, 5}) * 100, at::randn({7}), at::randn({0, 4}), at::randn({4, 2}).t()}) {
      write_npy(folder / "a.npy", array.to(type));
      EXPECT_TRUE(read_npy(folder / "a.npy").equal(array.to(type)));
    }
  }
  EXPECT_ERROR(write_npy(folder / "b.npy", at::zeros({2}, at::kBool)), "b.npy: cannot write dtype Bool");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.npy"));
}

}  // namespace
}  // namespace geniepath
