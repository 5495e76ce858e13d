#include "data/formats/fixed_table.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

class FixedTables : public ::testing::Test {
 protected:
  FixedTable table(const std::string& text, Header header = Header::kPresent) {
    return {folder_.write("t.csv", text), {"id", "share"}, header};
  }
  FixedTable first_row(const std::string& row) {
    FixedTable rows = table("id,share\n" + row + "\n");
    EXPECT_TRUE(rows.next());
    return rows;
  }
  testing::ScratchFolder folder_;
};

TEST_F(FixedTables, ReadsCells) {
  FixedTable rows = table("id,share\n+3, 0.5\n-1,2e3\n");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.integer(0, 0, 9), 3);
  EXPECT_EQ(rows.number(1, 0, 1), 0.5);
  EXPECT_EQ(rows.text(0), "+3");
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.integer(0, -1, 9), -1);
  EXPECT_EQ(rows.number(1, 0, 2000), 2000);
  EXPECT_FALSE(rows.next());
  FixedTable bare = table("1,2\n", Header::kAbsent);
  ASSERT_TRUE(bare.next());
  EXPECT_EQ(bare.integer(0, 1, 1), 1);
}

TEST_F(FixedTables, SaysWhatIsWrong) {
  EXPECT_ERROR(table(""), "t.csv: the file is empty");
  EXPECT_ERROR(table("\n"), "t.csv: no header, expected one that begins with 'id'");
  EXPECT_ERROR(table("id,Share\n"), "t.csv:1: column 2 is called 'Share', expected 'share'");
  EXPECT_ERROR(table("id\n"), "t.csv:1: expected 2 fields (id,share), found 1");
  EXPECT_ERROR(table("1,2,3\n", Header::kAbsent).next(), "t.csv:1: expected 2 fields (id,share), found 3");
  EXPECT_ERROR(table("id,share\n1,2,3\n").next(), "t.csv:2: expected 2 fields");
  EXPECT_ERROR(first_row("7,1").integer(0, 0, 6), "t.csv:2: id: expected an integer from 0 to 6, found '7'");
  EXPECT_ERROR(first_row("1.5,1").integer(0, 0, 6), "id: expected an integer from 0 to 6, found '1.5'");
  EXPECT_ERROR(first_row("99999999999999999999,1").integer(0, 0, 6), "found '99999999999999999999'");
  EXPECT_ERROR(first_row("1,nan").number(1, 0, 1), "t.csv:2: share: expected a number from 0 to 1, found 'nan'");
  EXPECT_ERROR(first_row("1,inf").number(1, 0, 1), "found 'inf'");
  EXPECT_ERROR(first_row("1,x").number(1, 0, 1), "found 'x'");
  EXPECT_ERROR(first_row(",1").text(0), "t.csv:2: id: expected a name, found nothing");
}

}  // namespace
}  // namespace geniepath
