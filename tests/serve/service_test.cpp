// Answers of the API, without the network. The explorer's tests check their form against web/openapi.json.
#include "expect_refused.h"
#include "served_run.h"

namespace geniepath::serve {
namespace {

using testing::ServedRun;

TEST(Service, SaysWhatIsServed) {
  const ServedRun run;
  const auto model = run.get("/api/v1/model");
  EXPECT_EQ(model["classes"], (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(model["dataset"]["nodes"], 60);
  EXPECT_EQ(model["dataset"]["edges"], 60);
  EXPECT_EQ(model["dataset"]["directed"], false);
  EXPECT_TRUE(model["positive"].is_null());
  run.service->count_answer(200), run.service->count_answer(404);
  const auto metrics = run.get("/api/v1/metrics");
  EXPECT_EQ(metrics["server"]["requests"], 2);
  EXPECT_EQ(metrics["server"]["errors"], 1);
  EXPECT_TRUE(metrics["model"].is_null());  // the result is written by the command `train`, which was not run
}

TEST(Service, IsHealthyOnceItsNodesAreScored) {
  const ServedRun run;
  try {
    run.get("/api/v1/health");
  } catch (const ApiError& error) {  // may be too quick to be observed
    EXPECT_EQ(error.status, 503);
    EXPECT_EQ(error.code, "starting");
  }
  run.get("/api/v1/metrics");  // waits for the scores
  const auto health = run.get("/api/v1/health");
  EXPECT_EQ(health["status"], "ok");
  EXPECT_EQ(health["version"], "1.2.3");
  EXPECT_EQ(run.service->failure(), "");
}

TEST(Service, SaysWhyItsNodesCouldNotBeScored) {
  ServedRun run;
  run.break_scoring();
  EXPECT_REFUSED(run.get("/api/v1/nodes/node%207"), 503, "could not be scored");
  EXPECT_REFUSED(run.score(R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}]})"), 503, "could not be scored");
  EXPECT_REFUSED(run.get("/api/v1/decided"), 503, "could not be scored");
  EXPECT_REFUSED(run.get("/api/v1/decided"), 503, "could not be scored");  // and stays so
  EXPECT_REFUSED(run.get("/api/v1/health"), 503, "could not be scored");
  EXPECT_NE(run.service->failure().find("could not be scored: "), std::string::npos);
}

TEST(Service, FinishedRunsHaveScores) {
  const ServedRun run;
  run.scratch.write("run/result.json", "{\"best_epoch\": 2}");
  Service again(run.folder, run.data, "1");
  const auto metrics = nlohmann::json::parse(again.get(parse_target("/api/v1/metrics")));
  const Scores scores = evaluate(*load_model(run.folder), run.data, run.data.test);
  EXPECT_EQ(metrics["model"]["best_epoch"], 2);
  EXPECT_NEAR(metrics["model"]["test"]["accuracy"], scores.accuracy, 1e-9);
  EXPECT_EQ(metrics["model"]["test"]["classes"].size(), 3u);
}

TEST(Service, SearchFindsTheIdItselfThenBeginningsThenParts) {
  const ServedRun run;
  const auto found = run.get("/api/v1/search?q=node%205&limit=100");
  EXPECT_EQ(found["total"], 11);  // node 5, node 50 .. node 59
  EXPECT_EQ(found["nodes"][0]["id"], "node 5");
  double before = 2;
  for (size_t n = 1; n < 11; ++n) {
    EXPECT_LE(found["nodes"][n]["score"], before);
    before = found["nodes"][n]["score"];
  }
  EXPECT_EQ(run.get("/api/v1/search?q=5")["nodes"].size(), 15u);
  EXPECT_EQ(run.get("/api/v1/search")["total"], 60);
  EXPECT_EQ(run.get("/api/v1/search?limit=3")["nodes"].size(), 3u);
  EXPECT_EQ(run.get("/api/v1/search?q=nobody")["total"], 0);
}

TEST(Service, OpensWithNodesThatTheirPathsDecide) {
  const ServedRun run;
  const auto found = run.get("/api/v1/decided?limit=5");
  EXPECT_EQ(found["tried"], run.data.test.size());
  ASSERT_EQ(found["nodes"].size(), 5u);
  double before = 1;
  for (const auto& node : found["nodes"]) {
    const double change = std::abs(node["score"].get<double>() - node["without"].get<double>());
    EXPECT_LE(change, before);
    before = change;
    EXPECT_EQ(node["split"], "test");
  }
  const std::string first = found["nodes"][0]["id"];
  const auto paths = run.get("/api/v1/nodes/" + first.substr(0, 4) + "%20" + first.substr(5) + "/paths");
  const auto& scores = paths["faithfulness"]["dropped"]["scores"];
  const auto shown = std::ranges::find_if(scores, [&](const auto& entry) { return entry["class"] == paths["class"]; });
  ASSERT_NE(shown, scores.end());
  EXPECT_EQ((*shown)["score"], found["nodes"][0]["without"]);
  EXPECT_EQ(run.get("/api/v1/decided")["nodes"].size(), std::min<size_t>(24, run.data.test.size()));
  EXPECT_REFUSED(run.get("/api/v1/decided?limit=101"), 400, "from 1 to 100");
  EXPECT_REFUSED(run.get("/api/v1/decided?q=x"), 400, "q");
}

TEST(Service, NodesAndPathsAreTheExplainers) {
  const ServedRun run;
  const Explainer explainer(load_model(run.folder), run.data);
  const auto node = run.get("/api/v1/nodes/node%207");
  EXPECT_EQ(node["degree"], 2);
  EXPECT_NEAR(node["scores"][1]["score"], explainer.probabilities()[7][1].item<double>(), 1e-6);
  const auto paths = run.get("/api/v1/nodes/node%207/paths?hops=3&top=5");
  ExplainOptions options;
  options.hops = 3, options.top = 5;
  const Explanation expected = explainer.explain(7, options);
  ASSERT_EQ(paths["paths"].size(), 5u);
  EXPECT_NEAR(paths["paths"][4]["product"], expected.paths[4].product, 1e-6);
  EXPECT_EQ(run.get("/api/v1/nodes/node%207/paths?hops=900")["hops"], 3);
}

TEST(Service, UnseenNodesAreScoredAsInTheGrownGraph) {
  const ServedRun run;
  const auto answer = run.score(R"({"nodes": [{"id": "new", "features": [1, 0, 0, 0.5]}],
                                    "edges": [{"source": "new", "target": "node 3"}, {"source": "node 9", "target": "new"}]})");
  Dataset grown = run.data;
  grown.features = Features(at::cat({run.data.features.dense(), at::tensor({1.0f, 0.0f, 0.0f, 0.5f}).view({1, 4})}));
  std::vector<NodeId> source{60, 3, 60, 9}, target{3, 60, 9, 60};
  for (NodeId i = 0; i < 60; ++i) {
    for (const NodeId j : run.data.graph.incoming().neighbours(i)) source.push_back(j), target.push_back(i);
  }
  grown.graph = Graph::from_edges(61, source, target);
  const at::Tensor expected = predict(*load_model(run.folder), grown)[60];
  for (int64_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(answer["nodes"][0]["scores"][static_cast<size_t>(c)]["score"], expected[c].item<double>(), 1e-5);
  }
}

TEST(Service, UnseenEdgesAreDirectedWhereTheGraphsAre) {
  const ServedRun run(testing::ring_data(6, 10));
  const auto answer = run.score(R"({"nodes": [{"id": "new", "features": [1, 0, 0, 0.5]}],
                                    "edges": [{"source": "new", "target": "3"}, {"source": "9", "target": "new"}]})");
  Dataset grown = run.data;
  grown.features = Features(at::cat({run.data.features.dense(), at::tensor({1.0f, 0.0f, 0.0f, 0.5f}).view({1, 4})}));
  std::vector<NodeId> source{60, 9}, target{3, 60};
  for (NodeId i = 0; i < 60; ++i) {
    for (const NodeId j : run.data.graph.incoming().neighbours(i)) source.push_back(j), target.push_back(i);
  }
  grown.graph = Graph::from_edges(61, source, target);
  const at::Tensor expected = predict(*load_model(run.folder), grown)[60];
  for (int64_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(answer["nodes"][0]["scores"][static_cast<size_t>(c)]["score"], expected[c].item<double>(), 1e-6);
  }
}

TEST(Service, UnseenFeaturesArePreparedAsTheRunsWere) {
  TransformOptions transforms;
  transforms.feature_transform = FeatureTransform::kStandardise;
  const ServedRun run(ServedRun::named_rings(), transforms);
  const FittedTransforms fitted = run.folder.transforms();
  const auto answer = run.score(R"({"nodes": [{"id": "new", "features": [0, 1, 0, 2]}]})");
  Dataset alone = testing::data_on(Graph::from_edges(1, {}, {}));
  alone.features = apply_feature_transforms(Features(at::tensor({0.0f, 1.0f, 0.0f, 2.0f}).view({1, 4})), fitted);
  const at::Tensor expected = predict(*load_model(run.folder), alone)[0];
  EXPECT_NEAR(answer["nodes"][0]["scores"][0]["score"], expected[0].item<double>(), 1e-5);
}

TEST(Service, WhatCannotBeAnsweredIsAnError) {
  const ServedRun run;
  EXPECT_REFUSED(run.get("/api/v1/nodes/nobody"), 404, "no node has this id");
  EXPECT_REFUSED(run.get("/api/v1/nodes/nobody/paths"), 404, "nobody");
  for (const char* none : {"/api/v1", "/api/v2/health", "/api/v1/healthy", "/api/v1/nodes", "/api/v1/nodes/a/b/c",
                           "/api/v1/health/", "/api/v1/score", "/"}) {
    EXPECT_REFUSED(run.get(none), 404, "no such address");
  }
  EXPECT_REFUSED(run.service->post(parse_target("/api/v1/health"), "{}"), 404, "no such address");
  EXPECT_REFUSED(run.get("/api/v1/health?x=1"), 400, "no parameters");
  EXPECT_REFUSED(run.get("/api/v1/nodes/node%207/paths?top=501"), 400, "a whole number from 1 to 500");
  EXPECT_REFUSED(run.get("/api/v1/search?limit=0"), 400, "from 1 to 100");
  EXPECT_REFUSED(run.score(R"({"nodes": [{"id": "node 3", "features": [1, 0, 0, 0]}]})"), 422,
                 "the graph has a node of this id");
  EXPECT_REFUSED(
      run.score(R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}], "edges": [{"source": "n", "target": "x"}]})"),
      422, "edges[0]: no node has this id");
  EXPECT_REFUSED(
      run.score(
          R"({"nodes": [{"id": "n", "features": [1, 0, 0, 0]}], "edges": [{"source": "node 1", "target": "node 2"}]})"),
      422, "at least one new node");
}

TEST(Service, FeaturesTooLargeForTheModelAreTheRequestsMistake) {
  Dataset wide = ServedRun::named_rings();
  wide.features = Features(at::full({wide.graph.num_nodes(), 64}, 1e-3));  // to which the start scales the weights up
  const ServedRun run(wide);
  int refused = 0;
  for (unsigned draw = 0; draw < 16; ++draw) {  // sums of 64 such features overflow if their signs match the weights'
    nlohmann::json features;
    for (unsigned f = 0; f < 64; ++f) features.push_back((draw + 1) * (f + 7) * 2654435761u >> 31 ? -3.4e38 : 3.4e38);
    const nlohmann::json body = {
        {"nodes", {{{"id", "n"}, {"features", features}}}},
        {"edges", {{{"source", "n"}, {"target", "node 1"}}, {{"source", "node 1"}, {"target", "n"}}}}};
    try {
      run.score(body.dump());
    } catch (const ApiError& error) {
      EXPECT_EQ(error.status, 422);
      EXPECT_NE(std::string(error.what()).find("predictions"), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST(Service, FeaturesMadeFromTheGraphCannotBeGiven) {
  TransformOptions transforms;
  transforms.node_features = NodeFeatures::kOneHot;
  Dataset data = ServedRun::named_rings();
  data.inductive = false;
  const ServedRun run(data, transforms);
  const std::string zeros = "{\"columns\": [], \"values\": []}";
  EXPECT_REFUSED(run.score(R"({"nodes": [{"id": "n", "features": )" + zeros + "}]}"), 422, "one-hot");
  EXPECT_EQ(run.get("/api/v1/nodes/node%207")["id"], "node 7");  // nodes of the graph keep their names
}

}  // namespace
}  // namespace geniepath::serve
