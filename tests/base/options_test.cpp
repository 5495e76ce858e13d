#include "geniepath/options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "expect_error.h"

namespace geniepath {
namespace {

struct Sample : Options {
  int64_t width = 8;
  double rate = 0.5;
  bool tied = false;
  std::string kind = "a";
  std::string note;
  void visit(OptionVisitor& options) override {
    options.integer("width", width, {1, 64}, "a width");
    options.real("rate", rate, {0, 1, true}, "a rate");
    options.flag("tied", tied, "whether tied");
    options.choice("kind", kind, {"a", "b"}, "a kind");
    options.text("note", note, "anything");
  }
};

TEST(Options, GoThroughJsonUnchanged) {
  Sample sample;
  sample.width = 3, sample.rate = 0.1, sample.tied = true, sample.kind = "b", sample.note = "n";
  Sample copy;
  copy.read_json(sample.to_json(), "test");
  EXPECT_EQ(copy.to_json(), sample.to_json());
  EXPECT_EQ(copy.rate, 0.1);
}

TEST(Options, AbsentKeysKeepTheirDefault) {
  Sample sample;
  sample.read_json({{"width", 9}}, "test");
  EXPECT_EQ(sample.width, 9);
  EXPECT_EQ(sample.kind, "a");
}

TEST(Options, SayWhatIsWrong) {
  Sample sample;
  EXPECT_ERROR(sample.read_json({{"widht", 9}}, "f.json"), "f.json: unknown key 'widht'");
  EXPECT_ERROR(sample.read_json({{"width", "x"}}, "f.json"), "f.json: width: expected a whole number, found \"x\"");
  EXPECT_ERROR(sample.read_json({{"width", 0}}, "f.json"), "f.json: width: expected 1 to 64, found 0");
  sample = {};
  EXPECT_ERROR(sample.read_json({{"rate", 1.0}}, "f.json"), "rate: expected 0 to below 1, found 1");
  sample = {};
  EXPECT_ERROR(sample.read_json({{"kind", "c"}}, "f.json"), "kind: 'c' is not one of a, b");
  EXPECT_ERROR(sample.read_json(nlohmann::ordered_json::array(), "f.json"), "expected an object, found array");
}

}  // namespace
}  // namespace geniepath
