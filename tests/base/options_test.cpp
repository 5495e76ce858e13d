#include "geniepath/options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/options_json.h"
#include "expect_error.h"

namespace geniepath {
namespace {

enum class Colour { kRed, kBlue };

}  // namespace

template <>
inline constexpr auto kNames<Colour> = names<Colour>({{Colour::kRed, "red"}, {Colour::kBlue, "blue"}});

namespace {

struct Sample : Options {
  int64_t width = 8;
  double rate = 0.5;
  bool tied = false;
  std::string kind = "a";
  Colour colour = Colour::kRed;
  std::string note;
  void visit(OptionVisitor& options) override {
    options.integer("width", width, {1, 64}, "a width");
    options.real("rate", rate, {0, 1, true}, "a rate");
    options.flag("tied", tied, "whether tied");
    options.choice("kind", kind, {"a", "b"}, "a kind");
    options.choice("colour", colour, "a colour");
    options.text("note", note, "anything");
  }
};

TEST(Options, GoThroughJsonUnchanged) {
  Sample sample;
  sample.width = 3, sample.rate = 0.1, sample.tied = true, sample.kind = "b", sample.colour = Colour::kBlue;
  sample.note = "n";
  Sample copy;
  read_json(copy, to_json(sample), "test");
  EXPECT_EQ(to_json(copy), to_json(sample));
  EXPECT_EQ(copy.colour, Colour::kBlue);
  EXPECT_EQ(copy.rate, 0.1);
  Sample text;
  text.read_json_text(sample.to_json_text(), "test");
  EXPECT_EQ(text.to_json_text(), sample.to_json_text());
}

TEST(Options, AbsentKeysKeepTheirDefault) {
  Sample sample;
  read_json(sample, {{"width", 9}}, "test");
  EXPECT_EQ(sample.width, 9);
  EXPECT_EQ(sample.kind, "a");
}

TEST(Options, SayWhatIsWrong) {
  Sample sample;
  EXPECT_ERROR(read_json(sample, {{"widht", 9}}, "f.json"), "f.json: unknown key 'widht'");
  EXPECT_ERROR(read_json(sample, {{"width", "x"}}, "f.json"), "f.json: width: expected a whole number, found \"x\"");
  EXPECT_ERROR(read_json(sample, {{"width", 0}}, "f.json"), "f.json: width: expected 1 to 64, found 0");
  sample = {};
  EXPECT_ERROR(read_json(sample, {{"rate", 1.0}}, "f.json"), "rate: expected 0 to below 1, found 1");
  sample = {};
  EXPECT_ERROR(read_json(sample, {{"kind", "c"}}, "f.json"), "kind: 'c' is not one of a, b");
  EXPECT_ERROR(read_json(sample, {{"colour", "green"}}, "f.json"), "f.json: colour: 'green' is not one of red, blue");
  EXPECT_EQ(sample.colour, Colour::kRed);
  EXPECT_ERROR(sample.read_json_text("{", "f.json"), "f.json: ");
  sample.colour = static_cast<Colour>(7);
  EXPECT_ERROR(sample.check(), "colour: '?' is not one of red, blue");
  sample = {};
  EXPECT_ERROR(read_json(sample, nlohmann::ordered_json::array(), "f.json"), "expected an object, found array");
}

}  // namespace
}  // namespace geniepath
