#include "serve/score_request.h"

#include "expect_refused.h"

namespace geniepath::serve {
namespace {

ScoreRequest parse(const std::string& body) { return parse_score_request(body, {3, {}}); }

TEST(ScoreRequest, DenseAndSparseFeaturesAreTheSame) {
  const ScoreRequest request = parse(R"({"nodes": [{"id": "a", "features": [1, 0, 2.5]},
      {"id": "b", "features": {"columns": [2, 0, 1], "values": [2.5, 1, 0]}}], "edges": [{"source": "a", "target": "b"}]})");
  ASSERT_EQ(request.nodes.size(), 2u);
  for (const NewNode& node : request.nodes) {
    EXPECT_EQ(node.column, (std::vector<int32_t>{0, 1, 2}));
    EXPECT_EQ(node.value, (std::vector<float>{1, 0, 2.5})) << "a zero is a value";
  }
  EXPECT_EQ(request.edges, (std::vector<std::pair<std::string, std::string>>{{"a", "b"}}));
  EXPECT_TRUE(parse(R"({"nodes": [{"id": "a", "features": [0, 0, 0]}]})").edges.empty());
}

TEST(ScoreRequest, WholeNumbersAreIds) {
  for (const char* id : {"17", "17.0", "\"17\"", "\"17.0\"", "\"1.7e+01\""}) {
    const ScoreRequest request = parse(std::string(R"({"nodes": [{"id": )") + id + R"(, "features": [1, 2, 3]}],
        "edges": [{"source": 838, "target": )" + id + "}]}");
    EXPECT_EQ(request.nodes[0].id, "17") << id;
    EXPECT_EQ(request.edges[0].first, "838") << id;
    EXPECT_EQ(normalised_id(request.edges[0].second), "17") << id;
  }
  EXPECT_EQ(parse(R"({"nodes": [{"id": -9007199254740993, "features": [1, 2, 3]}]})").nodes[0].id, "-9007199254740993");
  EXPECT_EQ(parse(R"({"nodes": [{"id": "007", "features": [1, 2, 3]}]})").nodes[0].id, "007");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": 17, "features": [1, 2, 3]}, {"id": "17.0", "features": [1, 2, 3]}]})"), 422,
                 "twice in the request");
}

TEST(ScoreRequest, WhatIsNoJsonIs400) {
  for (const std::string& body : {std::string(""), std::string("{"), std::string("[1,]"), std::string("\xff\xfe"),
                                  std::string("{\"nodes\": [{\"id\": \"a\", \"features\": [1e999, 0, 0]}]}"),
                                  std::string(kMostBodyBytes, '['), R"({"nodes": )" + std::string(800'000, '['),
                                  std::string(65, '[') + std::string(65, ']'),
                                  R"({"nodes": [{"id": "a", "features": [1, 2, )" + std::string(400'000, '[') +
                                      std::string(400'000, ']') + "]}]}"}) {
    EXPECT_REFUSED(parse(body), 400, "not valid JSON");
  }
}

TEST(ScoreRequest, WhatIsNotAsDescribedIs422) {
  EXPECT_REFUSED(parse("3"), 422, "an object");
  EXPECT_REFUSED(parse("{}"), 422, "'nodes' is missing");
  EXPECT_REFUSED(parse(R"({"nodes": []})"), 422, "1 to 256 items");
  EXPECT_REFUSED(parse(R"({"nodes": {}})"), 422, "1 to 256 items");
  EXPECT_REFUSED(parse(R"({"nodes": [1]})"), 422, "nodes[0]: not an object");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": [1, 2, 3]}], "edge": []})"), 422, "unknown key");
  for (const char* id : {"3.5", "1e300", "true", "null", "[3]"}) {
    EXPECT_REFUSED(parse(std::string(R"({"nodes": [{"id": )") + id + R"(, "features": [1, 2, 3]}]})"), 422,
                   "nodes[0].id: not an id");
  }
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "", "features": [1, 2, 3]}]})"), 422, "not an id");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": ")" + std::string(513, 'a') + R"(", "features": [1, 2, 3]}]})"), 422,
                 "not an id");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": [1, 2]}]})"), 422, "3 numbers | 2 numbers");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": [1, 2, "x"]}]})"), 422, "nodes[0].features[2]");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": [1, 2, 1e300]}]})"), 422, "within f32");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": "x"}]})"), 422, "not an object");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": {"columns": [0], "values": []}}]})"), 422, "1 values");
  for (const char* column : {"3", "-1", "0.5", "\"0\"", "18446744073709551615"}) {
    EXPECT_REFUSED(
        parse(std::string(R"({"nodes": [{"id": "a", "features": {"columns": [)") + column + R"(], "values": [1]}}]})"),
        422, "a whole number from 0 to 2");
  }
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": {"columns": [1, 1], "values": [1, 2]}}]})"), 422,
                 "a column twice");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": [1, 2, 3]}, {"id": "a", "features": [1, 2, 3]}]})"), 422,
                 "twice in the request");
  EXPECT_REFUSED(parse(R"({"nodes": [{"id": "a", "features": [1, 2, 3]}], "edges": [{"source": "a"}]})"), 422,
                 "'target'");
}

}  // namespace
}  // namespace geniepath::serve
