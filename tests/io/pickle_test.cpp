#include "io/pickle.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "io/pickle_writer.h"

namespace geniepath {
namespace {

using testing::pickled;
using testing::pickled_global;
using Kind = PickleValue::Kind;

void read_pickle(const std::string& bytes) { const Pickle pickle(std::as_bytes(std::span(bytes)), "a.pkl"); }

TEST(Pickle, PlainValuesComeBack) {
  const std::string bytes = pickled("(NK\7M" "\1\2J\xfe\xff\xff\xff\x88\x89U\3abcT\1" + std::string("\0\0\0d", 4) +
                                    "](K\1K\2e}(U\1aK\3u)K\4\x85K\5K\6\x86t");
  const Pickle pickle(std::as_bytes(std::span(bytes)), "a.pkl");
  const auto items = pickle.tuple(pickle.root(), 13, "all");
  EXPECT_EQ(items[0]->kind, Kind::kNone);
  EXPECT_EQ(pickle.integer(*items[1], "BININT1"), 7);
  EXPECT_EQ(pickle.integer(*items[2], "BININT2"), 513);
  EXPECT_EQ(pickle.integer(*items[3], "BININT"), -2);
  EXPECT_EQ(items[4]->kind, Kind::kBool);
  EXPECT_EQ(items[4]->number, 1);
  EXPECT_EQ(items[5]->number, 0);
  EXPECT_EQ(pickle.bytes(*items[6], "SHORT_BINSTRING"), "abc");
  EXPECT_EQ(pickle.bytes(*items[7], "BINSTRING"), "d");
  EXPECT_EQ(pickle.items(*items[8], Kind::kList, "list").size(), 2u);
  EXPECT_EQ(pickle.integer(pickle.entry(*items[9], "a"), "entry"), 3);
  EXPECT_EQ(pickle.tuple(*items[10], 0, "EMPTY_TUPLE").size(), 0u);
  EXPECT_EQ(pickle.integer(*pickle.tuple(*items[11], 1, "TUPLE1")[0], "first"), 4);
  EXPECT_EQ(pickle.integer(*pickle.tuple(*items[12], 2, "TUPLE2")[1], "second"), 6);
}

TEST(Pickle, TheMemoGivesTheSameValueAgain) {
  const std::string bytes = pickled("]q\1r" + std::string("\0\1\0\0", 4) + "K\5a(h\1h\1t");
  EXPECT_ERROR(read_pickle(bytes), "STOP with 2 values, expected 1");
  const std::string twice = pickled("]q\1h\1\x86");
  const Pickle pickle(std::as_bytes(std::span(twice)), "a.pkl");
  const auto items = pickle.tuple(pickle.root(), 2, "twice");
  EXPECT_EQ(items[0], items[1]);
}

TEST(Pickle, DeepNestingAndCyclesDoNoHarm) {
  read_pickle(pickled(std::string(1000000, ']') + std::string(999999, 'a')));
  read_pickle(pickled(")" + std::string(1000000, '\x85')));
  read_pickle(pickled("]q\1h\1a"));
}

TEST(Pickle, ACallIsRecordedNotDone) {
  const std::string bytes = pickled(pickled_global("numpy", "dtype") + "U\2i4\x85RK\1b");
  const Pickle pickle(std::as_bytes(std::span(bytes)), "a.pkl");
  const auto [arguments, state] = pickle.call(pickle.root(), "numpy\ndtype", "a dtype");
  EXPECT_EQ(pickle.bytes(*arguments[0], "name"), "i4");
  EXPECT_EQ(pickle.integer(state, "state"), 1);
  EXPECT_ERROR(pickle.call(pickle.root(), "numpy\nndarray", "it"), "it is made by numpy.dtype, expected numpy.ndarray");
}

TEST(Pickle, RefusesEveryCutOfAFile) {
  for (const auto& [name, whole] : testing::small_planetoid()) {
    if (name == "test.index") continue;
    for (size_t length = 0; length < whole.size(); ++length) {
      EXPECT_THROW(read_pickle(whole.substr(0, length)), Error) << name << " " << length;
    }
  }
}

TEST(Pickle, SaysWhatIsWrong) {
  EXPECT_ERROR(read_pickle(""), "a.pkl: byte 0: expected 1 bytes (an opcode), but 0 are left");
  EXPECT_ERROR(read_pickle("\x80\x04."), "pickle protocol 4, expected 2 or 3");
  EXPECT_ERROR(read_pickle(pickled("NV")), "byte 4: opcode 86 is not supported");
  EXPECT_ERROR(read_pickle(pickled(pickled_global("os", "system") + "U\2ls\x85R")),
               "the global 'os.system' is not supported");
  EXPECT_ERROR(read_pickle("\x80\x02" "cos"), "the global 'os' is not supported");
  EXPECT_ERROR(read_pickle("\x80\x02" "c"), "the global '' is not supported");
  EXPECT_ERROR(read_pickle("\x80\x02" "cnumpy\ndtype"), "expected 1 bytes (a new line), but 0 are left");
  EXPECT_ERROR(read_pickle(pickled("U\5abc")), "expected 5 bytes (a string), but 4 are left");
  EXPECT_ERROR(read_pickle(pickled("T\xff\xff\xff\x7f")), "expected 2147483647 bytes (a string)");
  EXPECT_ERROR(read_pickle(pickled("T\xff\xff\xff\xff")), "a string of -1 bytes");
  EXPECT_ERROR(read_pickle(pickled("h\1")), "no memo entry 1");
  EXPECT_ERROR(read_pickle(pickled("q\1")), "the stack is empty here");
  EXPECT_ERROR(read_pickle(pickled("\x86")), "expected 2 values on the stack, found 0");
  EXPECT_ERROR(read_pickle(pickled("K\1(K\2\x86")), "expected 2 values on the stack, found 1");
  EXPECT_ERROR(read_pickle(pickled("t")), "no mark on the stack");
  EXPECT_ERROR(read_pickle(pickled(")K\1a")), "expected a list to add to, found a tuple");
  EXPECT_ERROR(read_pickle(pickled("}(K\1u")), "a key without a value");
  EXPECT_ERROR(read_pickle(pickled("NNR")), "expected a global and a tuple to call, found None and None");
  EXPECT_ERROR(read_pickle(pickled("]Nb")), "expected an object without a state, found a list");
  EXPECT_ERROR(read_pickle(pickled("")), "STOP with 0 values");
  EXPECT_ERROR(read_pickle(pickled("N") + "x"), "expected the end of the file after STOP, found 1 more bytes");
}

TEST(Pickle, SaysWhatAValueIsInsteadOfWhatWasExpected) {
  const std::string bytes = pickled("(K\1U\1at");
  const Pickle pickle(std::as_bytes(std::span(bytes)), "a.pkl");
  const auto& root = pickle.root();
  EXPECT_ERROR(pickle.integer(*root.items[1], "a size"), "byte 5: a size is a string, expected an integer");
  EXPECT_ERROR(pickle.bytes(*root.items[0], "a name"), "byte 3: a name is an integer, expected a string");
  EXPECT_ERROR(pickle.items(root, Kind::kList, "it"), "it is a tuple, expected a list");
  EXPECT_ERROR(pickle.tuple(root, 3, "it"), "it is a tuple of 2, expected 3");
  EXPECT_ERROR(pickle.entry(root, "a"), "is a tuple, expected a dict");
}

}  // namespace
}  // namespace geniepath
