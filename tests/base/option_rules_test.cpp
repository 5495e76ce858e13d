#include "base/option_rules.h"

#include <gtest/gtest.h>

namespace geniepath {
namespace {

struct Source : Options {
  std::string data = "made";
  std::string file;
  int64_t size = 1;
  bool verify = true;

  void visit(OptionVisitor& options) override {
    options.text("data", data, "");
    options.text("file", file, "");
    options.integer("size", size, {}, "");
    options.flag("verify", verify, "");
    options.only_where("size", {{"data", {"made", "drawn"}}});
    options.only_where("verify", {{"data", {"*.bin"}}, {"model", {"none"}}});
    options.only_where("verify", {{"file", {"*"}}});
  }
};

struct Other : Options {
  std::string model = "none";
  void visit(OptionVisitor& options) override { options.text("model", model, ""); }
};

TEST(OptionRules, SayWhereAnOptionHasNoEffect) {
  Source source;
  EXPECT_EQ(OptionRules({&source}).obstacle("size"), "");
  EXPECT_EQ(OptionRules({&source}).obstacle("data"), "") << "nothing is declared about it";
  source.data = "read";
  EXPECT_EQ(OptionRules({&source}).obstacle("size"),
            "does not apply to --data read; it applies to --data made or drawn");
  EXPECT_EQ(OptionRules({&source}).obstacle("size", {"data"}), "") << "data is varied";
}

TEST(OptionRules, HoldAcrossStructs) {
  Source source;
  source.file = "x";
  Other other;
  EXPECT_EQ(OptionRules({&source, &other}).obstacle("verify"), "");
  other.model = "some";
  EXPECT_EQ(OptionRules({&source, &other}).obstacle("verify"),
            "does not apply to --data made; it applies to --data *.bin, or to --model none");
  EXPECT_EQ(OptionRules({&source}).obstacle("verify"), "") << "the other struct is not used";
  source.data = "a.bin";
  EXPECT_EQ(OptionRules({&source, &other}).obstacle("verify"), "");
  source.file = "";
  EXPECT_EQ(OptionRules({&source, &other}).obstacle("verify"), "does not apply without --file")
      << "all declarations hold";
  EXPECT_EQ(OptionRules({&source, &other}).names(),
            (std::vector<std::string>{"data", "file", "size", "verify", "model"}));
}

}  // namespace
}  // namespace geniepath
