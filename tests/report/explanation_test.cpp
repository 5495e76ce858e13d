// Explanations in every output format, for nodes with hostile names.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "expect_error.h"
#include "explain/small_models.h"
#include "found_text.h"
#include "geniepath/explanation_writer.h"
#include "io/csv.h"
#include "report/drawing.h"
#include "report/explanation_json.h"
#include "report/explanation_text.h"
#include "report/radial_layout.h"

namespace geniepath::report {
namespace {

using testing::contains;
using namespace geniepath::testing;

constexpr const char* kHostile = "</text><script>\"'&\\";

class Written : public ::testing::Test {
 protected:
  Written() : data_(data_on(both_ways(random_graph(12, 24, 3)))) {
    for (NodeId node = 0; node < 12; ++node) data_.node_names.push_back(kHostile + std::to_string(node));
    data_.labels[2] = 1, data_.labels[3] = -1;
    data_.train = {0}, data_.test = {2};
    explainer_ = std::make_unique<Explainer>(sharp_model(attending("geniepath")), data_);
    facts_ = std::make_unique<NodeFacts>(data_, *explainer_, std::vector<std::string>{"a", "<b>"});
    options_.top = 12;
    explanation_ = explainer_->explain(2, options_);
  }

  Dataset data_;
  std::unique_ptr<Explainer> explainer_;
  std::unique_ptr<NodeFacts> facts_;
  ExplainOptions options_;
  Explanation explanation_;
};

TEST_F(Written, FactsAreTheData) {
  EXPECT_EQ(facts_->find(kHostile + std::string("7")), 7);
  EXPECT_EQ(facts_->find("7"), std::nullopt);
  EXPECT_STREQ(facts_->split(0), "train");
  EXPECT_EQ(facts_->split(5), nullptr);
  EXPECT_EQ(facts_->type(0), nullptr);
  EXPECT_EQ(facts_->labels(2), std::vector<std::string>{"<b>"});
  EXPECT_EQ(facts_->labels(3), std::nullopt);
  EXPECT_EQ(facts_->classes(), (std::vector<std::string>{"a", "<b>", "2"}));  // the third has no name
  EXPECT_EQ(facts_->predicted(facts_->scores(2)),
            std::vector<std::string>{facts_->classes()[facts_->telling_class(2)]});
}

TEST_F(Written, ThePublicWriterWritesTheSame) {
  const ExplanationWriter writer(data_, *explainer_, {"a", "<b>"}, 0.5);
  EXPECT_EQ(writer.find(kHostile + std::string("7")), 7);
  const ReasonTexts reasons = writer.reasons(explanation_);
  Json timed = Json::parse(writer.json(explanation_, reasons));
  EXPECT_FALSE(timed.contains("seconds"));
  timed["seconds"] = 0.0;
  EXPECT_EQ(timed["reasons"], Json::parse(reasons.json));
  timed.erase("reasons");
  EXPECT_EQ(timed, Json::parse(explanation_json(*facts_, explanation_, 0).dump()));
  EXPECT_EQ(writer.svg(explanation_, 1, reasons), explanation_svg(*facts_, explanation_, 1, reasons.lines));
  EXPECT_TRUE(
      contains(writer.html(explanation_, 1, reasons), explanation_html(*facts_, explanation_, 1, reasons.html)));
  EXPECT_ERROR(writer.svg(explanation_, 0, reasons), "layer 0: the model has layers 1 to");
  EXPECT_ERROR(writer.html(explanation_, 99, reasons), "layer 99: the model has layers 1 to");
}

TEST_F(Written, ReasonsNameTheColumnsTheyAreGiven) {
  RawColumns raw;
  for (int64_t f = 0; f < data_.features.num_features(); ++f) {
    if (f == 0) raw.schema.tables.emplace_back();
    raw.schema.tables[0].numbers.push_back("column<" + std::to_string(f));
  }
  const ExplanationWriter writer(data_, *explainer_, {"a", "<b>"}, 0.5, raw);
  const ReasonTexts reasons = writer.reasons(explanation_);
  const Json json = Json::parse(reasons.json);
  EXPECT_EQ(json["verdict"], reasons.verdict);
  EXPECT_EQ(reasons.lines.at(0), reasons.verdict);
  EXPECT_TRUE(contains(reasons.verdict, "Predicted ")) << reasons.verdict;
  ASSERT_FALSE(json["features"]["columns"].empty());
  EXPECT_TRUE(json["features"]["columns"][0]["name"].get<std::string>().starts_with("column<"));
  EXPECT_TRUE(contains(reasons.html, "column&lt;"));
  const ReasonTexts unnamed = ExplanationWriter(data_, *explainer_, {}, 0.5).reasons(explanation_);
  EXPECT_TRUE(contains(unnamed.json, "\"feature "));
}

TEST_F(Written, NumbersAreIdsWhereTheDataHasNoNames) {
  data_.node_names.clear();
  const NodeFacts facts(data_, *explainer_, {});
  EXPECT_EQ(facts.find("11"), 11);
  for (const char* wrong : {"12", "-1", "011", "+1", "1 ", "", "1e1", "99999999999999999999"}) {
    EXPECT_EQ(facts.find(wrong), std::nullopt) << wrong;
  }
}

TEST_F(Written, JsonSaysWhatWasFound) {
  const Json json = explanation_json(*facts_, explanation_, 0.5);
  EXPECT_EQ(json["node"], facts_->id(2));
  EXPECT_EQ(json["paths"].size(), 12u);
  EXPECT_EQ(json["paths"][0]["layers"][0], 3);
  EXPECT_EQ(json["edges"][0]["alpha"].size(), 3u);
  EXPECT_EQ(json["nodes"][0]["label"][0], "<b>");
  EXPECT_EQ(json["gates"].size(), 3u);
  double sum = 0;
  for (const auto& score : json["faithfulness"]["full"]["scores"]) sum += score["score"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_EQ(json["seconds"], 0.5);
  // alpha has the digits of a float
  EXPECT_LE(json["edges"][0]["alpha"][0].dump().size(), 13u) << json["edges"][0]["alpha"][0].dump();
}

TEST_F(Written, DrawingsEscapeAndSayWhatTheyLeaveOut) {
  const std::string svg = explanation_svg(*facts_, explanation_, 1), dot = explanation_dot(*facts_, explanation_, 3);
  EXPECT_FALSE(contains(svg, "<script"));
  EXPECT_TRUE(contains(svg, "12 of "));
  EXPECT_TRUE(contains(svg, "Graph Laplacian"));
  EXPECT_TRUE(contains(svg, "α of layer 1 of 3"));
  // In DOT every quote in a name is escaped, so the others come in pairs.
  const std::string bare = std::regex_replace(dot, std::regex(R"(\\.)"), "");
  EXPECT_EQ(std::count(bare.begin(), bare.end(), '"') % 2, 0);
  EXPECT_FALSE(contains(bare, "'&\"]"));
  const std::string page = explanation_html(*facts_, explanation_, 1);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_TRUE(contains(page, "Strongest paths"));
}

TEST_F(Written, CsvHasEveryEdgeOnceWithItsNumbers) {
  std::ostringstream out;
  CsvWriter table(out);
  write_edges_heading(table, 3);
  const auto edges = explainer_->edges(2, 2);
  write_edges(table, *facts_, 2, edges);
  const std::string text = out.str();
  EXPECT_EQ(text.substr(0, text.find('\n')), "node,source,target,alpha_1,alpha_2,alpha_3,laplacian,level");
  CsvReader reader(text, "table", ',');
  ASSERT_TRUE(reader.next());
  for (const PathEdge& edge : edges) {
    ASSERT_TRUE(reader.next());
    const auto cells = reader.fields();
    EXPECT_EQ(cells[0], facts_->id(2));
    EXPECT_EQ(cells[1], facts_->id(edge.source));
    EXPECT_EQ(cells[2], facts_->id(edge.target));
    for (size_t t = 0; t < 3; ++t) EXPECT_EQ(std::stof(std::string(cells[3 + t])), edge.alpha[t]);
    EXPECT_EQ(std::stod(std::string(cells[6])), edge.laplacian);
    EXPECT_EQ(cells[7], to_string(level_of(edge.alpha[0])));
  }
  EXPECT_FALSE(reader.next());
}

TEST_F(Written, EveryNodeHasAPlaceAsFarOutAsItsShortestPath) {
  const auto place = radial_layout(explanation_);
  std::map<NodeId, int64_t> steps{{2, 0}};
  int64_t most = 1;
  for (const ReceptivePath& path : explanation_.paths) {
    const auto [at, added] = steps.emplace(path.nodes.back(), std::ssize(path.alpha));
    at->second = std::min(at->second, std::ssize(path.alpha));
  }
  for (const auto& [_, length] : steps) most = std::max(most, length);
  EXPECT_GT(most, 1);
  ASSERT_EQ(place.size(), explanation_.nodes.size());
  for (const PathNode& node : explanation_.nodes) {
    const auto [x, y] = place.at(node.node);
    EXPECT_NEAR(std::hypot(x, y), static_cast<double>(steps.at(node.node)) / static_cast<double>(most), 1e-9);
  }
}

// Nodes 1 and 2 are direct neighbours, but the paths reach 2 only through 1: it is placed behind 1, one circle out.
TEST(RadialLayout, ANeighbourListedAtTheEndOfALongerPathStandsThere) {
  Explanation explanation;
  explanation.node = 0;
  explanation.nodes = {{0, 0, 1, {}}, {1, 1, 0.8, {}}, {2, 1, 0.6, {}}};
  explanation.edges = {{1, 0, {0.8f}, 0.3, 0.8, 0.8}, {2, 1, {0.7f}, 0.3, 0.56, 0.56}};
  explanation.paths = {{{0, 1}, {0.8f}, 0.8, 0.3}, {{0, 1, 2}, {0.8f, 0.7f}, 0.56, 0.1}};
  const auto place = radial_layout(explanation);
  ASSERT_EQ(place.size(), 3u);
  EXPECT_NEAR(std::hypot(place.at(1).x, place.at(1).y), 0.5, 1e-12);
  EXPECT_NEAR(std::hypot(place.at(2).x, place.at(2).y), 1, 1e-12);
  EXPECT_NEAR(place.at(2).x, 2 * place.at(1).x, 1e-12);
}

TEST_F(Written, ANodeWithoutNeighboursIsDrawnToo) {
  const Dataset alone = data_on(Graph::from_edges(2, {}, {}));
  const Explainer explainer(sharp_model(attending("geniepath-lazy")), alone);
  const NodeFacts facts(alone, explainer, {});
  const Explanation explanation = explainer.explain(1, {});
  EXPECT_TRUE(explanation.paths.empty());
  EXPECT_TRUE(contains(explanation_svg(facts, explanation, 1), "0 of 0 paths"));
  EXPECT_TRUE(contains(explanation_html(facts, explanation, 1), "0 neighbours"));
}

}  // namespace
}  // namespace geniepath::report
