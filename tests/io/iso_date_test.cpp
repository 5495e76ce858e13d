#include "io/iso_date.h"

#include <gtest/gtest.h>

namespace geniepath {
namespace {

TEST(IsoDate, CountsDays) {
  EXPECT_EQ(parse_iso_date("1970-01-01"), 0.0);
  EXPECT_EQ(parse_iso_date("1969-12-31"), -1.0);
  EXPECT_EQ(parse_iso_date("2024-03-01").value() - parse_iso_date("2024-02-28").value(), 2.0) << "a leap year";
  EXPECT_EQ(parse_iso_date("1970-01-02T12:00"), 1.5);
  EXPECT_EQ(parse_iso_date("1970-01-02 12:00:00"), 1.5);
  EXPECT_EQ(parse_iso_date("1970-01-02T12:00:00.000Z"), 1.5);
  EXPECT_EQ(parse_iso_date("1970-01-02T14:00:00+02:00"), 1.5);
  EXPECT_EQ(parse_iso_date("1970-01-02T06:30:00-0530"), 1.5);
  EXPECT_EQ(parse_iso_date("1970-01-02T14:00+02"), 1.5);
  EXPECT_DOUBLE_EQ(parse_iso_date("1970-01-01 00:00:43.2").value(), 0.0005);
}

TEST(IsoDate, RefusesEverythingElse) {
  for (const char* text :
       {"", "2024", "2024-13-01", "2023-02-29", "2024-5-1", "2024-05-01x", "2024-05-01T", "2024-05-01T25:00",
        "2024-05-01T10", "2024-05-01T10:60", "2024-05-01T10:00:", "2024-05-01T10:00:00.", "2024-05-01T10:00 UTC",
        "2024-05-01T10:00:00+2", "01.05.2024", "-024-05-01"}) {
    EXPECT_FALSE(parse_iso_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace geniepath
