#include "serve/request.h"

#include <nlohmann/json.hpp>

#include "expect_refused.h"

namespace geniepath::serve {
namespace {

TEST(Request, AddressesAreTakenApart) {
  const Target target = parse_target("/api/v1/nodes/a%2Fb%20c+d/paths?hops=2&q=a+b%26");
  EXPECT_EQ(target.segments, (std::vector<std::string>{"api", "v1", "nodes", "a/b c+d", "paths"}));
  EXPECT_EQ(target.query, (std::map<std::string, std::string>{{"hops", "2"}, {"q", "a b&"}}));
  EXPECT_EQ(parse_target("/").segments, std::vector<std::string>{});
  EXPECT_EQ(parse_target("/a/").segments, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(parse_target("/..//x").segments, (std::vector<std::string>{"..", "", "x"}));
}

TEST(Request, WhatIsNoAddressIsRefused) {
  for (const char* wrong : {"/%", "/%4", "/%zz", "/%00", "/a?x=%G1"})
    EXPECT_REFUSED(parse_target(wrong), 400, "percent");
  EXPECT_REFUSED(parse_target("/a?x=1&x=2"), 400, "given twice");
  EXPECT_REFUSED(parse_target("a"), 400, "begins with /");
}

TEST(Request, ParametersHaveBoundsAndNames) {
  const std::map<std::string, std::string> query{{"hops", "3"}, {"threshold", "0.25"}, {"q", "äö"}};
  Parameters parameters(query);
  EXPECT_EQ(parameters.integer("hops", 1, 10, 2), 3);
  EXPECT_EQ(parameters.integer("top", 1, 10, 7), 7);
  EXPECT_EQ(parameters.real("threshold", 0, 1, 0), 0.25);
  EXPECT_EQ(parameters.text("q", 2, ""), "äö");
  EXPECT_NO_THROW(parameters.finish());
  EXPECT_REFUSED(Parameters(query).finish(), 400, "no such parameter");
  const auto with = [](const std::string& value) { return std::map<std::string, std::string>{{"n", value}}; };
  for (const char* wrong : {"", "two", "0", "11", "3.5", " 3", "3 ", "99999999999999999999", "+3"}) {
    const auto given = with(wrong);
    EXPECT_REFUSED(Parameters(given).integer("n", 1, 10, 2), 400, "a whole number from 1 to 10");
  }
  for (const char* wrong : {"nan", "inf", "-0.1", "1.1", "x"}) {
    const auto given = with(wrong);
    EXPECT_REFUSED(Parameters(given).real("n", 0, 1, 0), 400, "a number from 0 to 1");
  }
  const auto given = with("äöü");
  EXPECT_REFUSED(Parameters(given).text("n", 2, ""), 400, "at most 2 characters");
}

TEST(Request, ErrorsAreJsonWhateverWasFound) {
  const ApiError error(404, "unknown_node", "m", "e", std::string(500, '\xff') + "\"<");
  const auto body = nlohmann::json::parse(body_of(error));
  EXPECT_EQ(body["error"]["status"], 404);
  const ApiError wide(404, "c", "m", "e", std::string(199, 'a') + "\xe2\x82\xac" + std::string(50, 'b'));
  EXPECT_EQ(nlohmann::json::parse(body_of(wide))["error"]["found"], std::string(199, 'a') + "...");
}

}  // namespace
}  // namespace geniepath::serve
