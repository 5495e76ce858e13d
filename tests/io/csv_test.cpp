#include "io/csv.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "io/file_writers.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(CsvReader reader) {
  Rows rows;
  while (reader.next()) rows.emplace_back(reader.fields().begin(), reader.fields().end());
  return rows;
}

Rows rows_of(std::string_view text, char separator = CsvReader::kAnySeparator) {
  return rows_of(CsvReader(text, "t.csv", separator));
}

TEST(Csv, SplitsRowsAndFields) {
  const Rows expected = {{"a", "b"}, {"1", "2"}, {"", "x y"}};
  EXPECT_EQ(rows_of("a,b\n1,2\n,x y\n"), expected);
  EXPECT_EQ(rows_of("a,b\n1,2\n,x y"), expected) << "the last line needs no end";
  EXPECT_EQ(rows_of("a,b\r\n1,2\r\n,x y\r\n"), expected);
  EXPECT_EQ(rows_of("\xef\xbb\xbf" "a,b\n1,2\n,x y\n"), expected) << "byte order mark";
  EXPECT_EQ(rows_of("\n\na, b\n\n 1 ,2\n,x y\n\n"), expected) << "empty lines and blanks around fields";
}

TEST(Csv, FindsTheSeparator) {
  EXPECT_EQ(rows_of("a\tb,c\td\n"), (Rows{{"a", "b,c", "d"}}));
  EXPECT_EQ(rows_of("a;b;c,d\n"), (Rows{{"a", "b", "c,d"}}));
  EXPECT_EQ(rows_of("\"a;b;c\",d\n"), (Rows{{"a;b;c", "d"}})) << "not counted inside quotes";
  EXPECT_EQ(rows_of("a;b,c,d\n", ';'), (Rows{{"a", "b,c,d"}}));
  EXPECT_EQ(rows_of("alone\n1\n"), (Rows{{"alone"}, {"1"}}));
}

TEST(Csv, SplitsAtWhitespace) {
  const Rows expected = {{"8.38e+02", "1.2e+01"}, {"a", "b"}};
  EXPECT_EQ(rows_of("8.38e+02 1.2e+01\n  a \t  b \n \n"), expected) << "runs count once, none around the row";
  EXPECT_EQ(rows_of("a\tb\nc d\te\n"), (Rows{{"a", "b"}, {"c d", "e"}})) << "a tab alone is the separator";
  EXPECT_EQ(rows_of("a b\t\"c  d\" e\nf g \"h\" \"\"\n", ' '), (Rows{{"a", "b", "c  d", "e"}, {"f", "g", "h", ""}}));
  EXPECT_EQ(rows_of("\"a\"  b \n", ' '), (Rows{{"a", "b"}}));
  EXPECT_ERROR(rows_of("a \"b\"c\n", ' '), "t.csv:1: expected a separator after a closing quote, found 'c'");
  EXPECT_ERROR(rows_of("a b\nc\n"), "t.csv:2: expected 2 fields as in the first row, found 1");
}

TEST(Csv, SkipsCommentsAtTheTop) {
  EXPECT_EQ(rows_of("# Directed graph: a, b\n\n# From\tTo\n1\t2\n# 3\t4\n"), (Rows{{"1", "2"}, {"# 3", "4"}}));
  EXPECT_EQ(rows_of("#id,x\n1,2\n"), (Rows{{"#id", "x"}, {"1", "2"}})) << "a name";
  EXPECT_EQ(rows_of("# nothing else\n"), Rows{});
}

TEST(Csv, SaysHowToConvertColumnarFiles) {
  testing::ScratchFolder folder;
  const auto open = [&](const char* text) { return CsvReader(folder.write("t.bin", text)); };
  EXPECT_ERROR(open("PAR1..."),
               "t.bin: a file in Parquet format, expected CSV; convert it with: python3 -c \"import pandas; "
               "pandas.read_parquet('");
  EXPECT_ERROR(open("ARROW1.."), "pandas.read_feather('");
}

TEST(Csv, WritesWholeNumbersByTheirDigits) {
  NumberText digits;
  const auto text = [&](std::string_view from) { return std::string(whole_number_text(from, digits)); };
  for (const char* same : {"838", "838.0", "8.38e+02", "8.38E+02", "838.", "8.380000000000000000e+02"})
    EXPECT_EQ(text(same), "838");
  EXPECT_EQ(text("-1.0e+00"), "-1");
  EXPECT_EQ(text("-0.0"), "0");
  for (const char* kept : {"", "a", "1.5", "007", "12e4", "+49123", "1.2.3.4", "1e+300", "9007199254740993",
                           "9007199254740992.0", "nan", "-", ".", "2e", "1_0.0"}) {
    EXPECT_EQ(text(kept), kept);
  }
}

TEST(Csv, ReadsQuotedFields) {
  EXPECT_EQ(rows_of("\"a,b\",c\n"), (Rows{{"a,b", "c"}}));
  EXPECT_EQ(rows_of("a,\"say \"\"hi\"\"\"\n"), (Rows{{"a", "say \"hi\""}}));
  EXPECT_EQ(rows_of("a,\"two\nlines\"\nc,d\n"), (Rows{{"a", "two\nlines"}, {"c", "d"}}));
  EXPECT_EQ(rows_of("a,\"two\r\nlines\" ,c\r\n"), (Rows{{"a", "two\nlines", "c"}}));
  EXPECT_EQ(rows_of("a,\"\"\n"), (Rows{{"a", ""}}));
  EXPECT_EQ(rows_of("\"\",\" kept \"\n"), (Rows{{"", " kept "}}));
  EXPECT_EQ(rows_of("5\" disk,x\n"), (Rows{{"5\" disk", "x"}})) << "a quote inside a field is a character";
  EXPECT_EQ(rows_of("\"a\",\n"), (Rows{{"a", ""}})) << "an empty last field";
}

TEST(Csv, CountsLines) {
  CsvReader reader("a,b\n\n\"x\ny\",1\n2,3\n", "t.csv");
  reader.next();
  EXPECT_EQ(reader.where(), "t.csv:1");
  reader.next();
  EXPECT_EQ(reader.where(), "t.csv:3");
  reader.next();
  EXPECT_EQ(reader.where(), "t.csv:5");
}

TEST(Csv, SaysWhatIsWrong) {
  EXPECT_ERROR(rows_of(""), "t.csv: the file is empty");
  EXPECT_ERROR(rows_of("\xef\xbb\xbf"), "t.csv: the file is empty");
  EXPECT_ERROR(rows_of("a,b\n1,2,3\n"), "t.csv:2: expected 2 fields as in the first row, found 3");
  EXPECT_ERROR(rows_of("a,b\n1\n"), "t.csv:2: expected 2 fields as in the first row, found 1");
  EXPECT_ERROR(rows_of("a,b\n1,\"2\n3\n"), "t.csv:2: a quoted field of this row is never closed");
  EXPECT_ERROR(rows_of("a,b\n1,\"2\"x\n"), "t.csv:2: expected a separator after a closing quote, found 'x'");
}

TEST(Csv, TakesUtf8AndNothingElse) {
  const std::string good = "gr\xc3\xbc\xc3\x9f" "e,\xe2\x82\xac,\xf0\x9f\x98\x80\n";
  EXPECT_EQ(rows_of(good), (Rows{{"gr\xc3\xbc\xc3\x9f" "e", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}}));
  for (const char* bad : {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82", "\x80"}) {
    EXPECT_ERROR(rows_of(std::string("a\nb") + bad + "\n"), "t.csv:2: byte 2 of the line");
  }
  EXPECT_ERROR(rows_of("a\n\"x\n\xff\"\n"), "t.csv:3: byte 1 of the line (255) is not UTF-8");
}

TEST(Csv, ReadsGzipPieceByPiece) {
  if (!GzipReader::available()) GTEST_SKIP() << "built without zlib";
  testing::ScratchFolder folder;
  std::string text = "id,note\n";
  for (int i = 0; i < 200000; ++i) text += std::to_string(i) + (i % 1000 == 0 ? ",\"two\nlines\"\n" : ",plain text\n");
  text += "last," + std::string(3 << 20, 'x');
  folder.write("plain.csv", text);
  folder.write("packed.csv.gz", testing::gzip(text));
  EXPECT_EQ(rows_of(CsvReader(folder / "plain.csv")), rows_of(CsvReader(folder / "packed.csv.gz")));
}

TEST(Csv, RefusesDamagedGzip) {
  if (!GzipReader::available()) GTEST_SKIP() << "built without zlib";
  testing::ScratchFolder folder;
  const std::string whole = testing::gzip("a,b\n1,2\n");
  for (size_t length = 2; length < whole.size(); ++length) {
    EXPECT_THROW(rows_of(CsvReader(folder.write("cut.gz", whole.substr(0, length)))), Error) << length;
  }
  std::string changed = whole;
  changed[whole.size() - 10] ^= 1;
  EXPECT_ERROR(rows_of(CsvReader(folder.write("changed.gz", changed))), "the gzip data is damaged or cut short");
  EXPECT_ERROR(CsvReader(folder.write("empty.gz", testing::gzip(""))), "the file is empty");
  EXPECT_ERROR(CsvReader(folder / "absent.csv"), "absent.csv: cannot open");
}

TEST(Csv, ParsesNumbers) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("+1e3"), 1000);
  EXPECT_EQ(parse_number("-.25"), -0.25);
  for (const char* text : {"", "x", "1x", "1 2", "+-1", "0x10", "1,5"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_integer("-12"), -12);
  EXPECT_EQ(parse_integer("1.0"), std::nullopt);
  EXPECT_EQ(parse_integer("99999999999999999999"), std::nullopt);
}

TEST(Csv, SplitsLists) {
  EXPECT_EQ(split_list("a, b,,c "), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(split_list("").empty());
  EXPECT_EQ(split_list("a|b;c", ";|"), (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace geniepath
