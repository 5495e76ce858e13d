#include "base/byte_size.h"

#include <gtest/gtest.h>

#include "expect_error.h"

namespace geniepath {
namespace {

TEST(ByteSize, IsReadWithItsUnit) {
  EXPECT_EQ(parse_bytes("2GiB", "memory-limit"), int64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5 GiB", "memory-limit"), int64_t{3} << 29);
  EXPECT_EQ(parse_bytes("500MB", "memory-limit"), 500000000);
  EXPECT_EQ(parse_bytes("4096", "memory-limit"), 4096);
}

TEST(ByteSize, IsRefusedWhereItIsNone) {
  for (const char* text :
       {"", "GiB", "2 gigabytes", "-1GiB", "0", "0.1", "nan", "inf", "1e300", "2GiB more", "2  GiB"}) {
    EXPECT_ERROR(parse_bytes(text, "memory-limit"),
                 "option memory-limit: '" + std::string(text) + "': expected a size");
  }
}

TEST(ByteSize, IsWrittenInTheLargestUnit) {
  EXPECT_EQ(bytes_text(17), "17 B");
  EXPECT_EQ(bytes_text(int64_t{3} << 29), "1.5 GiB");
}

}  // namespace
}  // namespace geniepath
