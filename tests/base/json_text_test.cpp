#include "base/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "expect_error.h"

namespace geniepath {
namespace {

using nlohmann::json;

std::string nested(int depth) {
  const auto half = static_cast<size_t>(depth / 2);
  std::string text;
  for (size_t level = 0; level < half; ++level) text += R"({"a":[)";
  for (size_t level = 0; level < half; ++level) text += "]}";
  return text;
}

TEST(JsonText, IsReadUpToTheDepthThatIsAllowed) {
  EXPECT_EQ(parse_json<json>(nested(kDeepestJson), "x").dump(), nested(kDeepestJson));
  EXPECT_ERROR(parse_json<json>(nested(kDeepestJson + 2), "x.json"),
               "x.json: lists and objects nested more than 64 deep");
}

TEST(JsonText, BracketsInTextsNestNothing) {
  const std::string brackets(1000, '['), text = R"({"a\"[": ")" + brackets + R"(\\", "b": "\"{{\\\""})";
  EXPECT_EQ(parse_json<json>(text, "x")["a\"["], brackets + "\\");
}

TEST(JsonText, ListsBesideOneAnotherAreNotDeep) {
  std::string text = "[[]";
  for (int n = 0; n < 1000; ++n) text += ",[{}]";
  EXPECT_EQ(parse_json<json>(text + "]", "x").size(), 1001u);
}

TEST(JsonText, ThatIsNestedWithoutEndIsRefused) {
  EXPECT_ERROR(parse_json<json>(std::string(800'000, '['), "body"), "nested more than");
  EXPECT_ERROR(parse_json<nlohmann::ordered_json>(nested(800'000), "body"), "nested more than");
}

TEST(JsonText, SaysWhereAndWhyItIsNotJson) {
  EXPECT_ERROR(parse_json<json>("", "x.json"), "x.json: not JSON: parse error at line 1, column 1");
  EXPECT_ERROR(parse_json<json>("{\"a\": 1", "x.json"), "x.json: not JSON: parse error");
  EXPECT_ERROR(parse_json<json>("[1e999]", "x.json"), "x.json: not JSON: number overflow");
  EXPECT_ERROR(parse_json<json>("\"\xff\"", "x.json"), "x.json: not JSON: parse error");
  try {
    parse_json<json>("[\"" + std::string(100'000, 'a'), "x.json");
  } catch (const Error& error) {
    EXPECT_LT(std::string(error.what()).size(), 300u);
  }
}

}  // namespace
}  // namespace geniepath
