#include "report/path_quality_text.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "expect_error.h"
#include "found_text.h"
#include "scratch_folder.h"

namespace geniepath {
namespace {

using testing::contains;

PathQuality measured(double changed, double learned, double even, std::vector<double> entropy) {
  PathQuality quality;
  quality.nodes = 200;
  quality.entropy = std::move(entropy);
  quality.explanations.emplace();
  quality.explanations->model = {0.43, 0.1};
  quality.explanations->random_plus = 0.12;
  quality.explanations->gates = {{1, 0, 0, 0, 0.25, 0}, {2, 0, 0, 0, 0.75, 0}};
  quality.even = {changed, "f1", learned, even};
  return quality;
}

std::string sentence(double changed, double learned, double even, std::vector<double> entropy) {
  return report::attention_sentence(measured(changed, learned, even, std::move(entropy)));
}

TEST(PathQualityText, TheSentenceFollowsFromTheFigures) {
  EXPECT_EQ(sentence(0.43, 0.791, 0.5021, {0.99, 0.6}),
            "Attention matters: with even attention in its place 43 % of predictions change and f1 falls from 0.791 to "
            "0.502.");
  EXPECT_EQ(sentence(0.09, 0.651, 0.667, {0.6}),
            "Attention changes predictions, but does not help: with even attention in its place 9 % of predictions change "
            "and f1 rises from 0.651 to 0.667.");
  EXPECT_TRUE(sentence(0.06, 0.8, 0.8, {0.99, 0.99}).starts_with("Attention matters: ")) << "hubs attend nearly evenly";
  EXPECT_TRUE(sentence(0.01, 0.8, 0.7, {0.99, 0.6}).starts_with("Attention matters: ")) << "few labels, but the right";
  EXPECT_TRUE(sentence(0.06, 0.7, 0.8, {0.6}).ends_with("f1 rises from 0.700 to 0.800."));
  EXPECT_EQ(sentence(0.01, 0.8, 0.8, {0.99, 0.975}),
            "Attention is nearly even: its entropy is at least 97 % of even attention's in every layer; with even "
            "attention in its place 1 % of predictions change and f1 stays at 0.800.");
  EXPECT_EQ(sentence(0.04, 0.8, 0.79, {0.99, 0.6}),
            "Attention is uneven but matters little: its entropy falls to 60 % of even attention's, yet with even "
            "attention in its place 4 % of predictions change and f1 falls from 0.800 to 0.790.");
  EXPECT_TRUE(sentence(0.5, kUndefined, kUndefined, {0.6}).ends_with(" 50 % of predictions change."));
  EXPECT_EQ(sentence(0, 0.8, 0.8, {}),
            "There is nothing to choose from: no sampled node has two neighbours, and with even attention in its place "
            "no prediction changes and f1 stays at 0.800.");
  EXPECT_TRUE(sentence(0.5, 0.8, 0.4, {}).starts_with("Attention matters: ")) << "nodes attend to themselves, too";
  EXPECT_EQ(sentence(0.02, 0.8, 0.8, {}),
            "Attention matters little: with even attention in its place 2 % of predictions change and f1 stays at "
            "0.800.");
  PathQuality gat = measured(0, 0, 0, {0.9, 0.8});
  gat.explanations.reset(), gat.even.reset();
  PathQuality chains = gat;
  chains.entropy.clear();
  EXPECT_EQ(report::attention_sentence(chains),
            "Whether attention is even was not measured: no sampled node has two neighbours.");
  EXPECT_EQ(report::attention_sentence(gat), "Attention is uneven: its entropy falls to 80 % of even attention's.");
}

// What the sentence calls little is less than what it calls enough, also as it is shown.
TEST(PathQualityText, TheFiguresShownDecide) {
  EXPECT_TRUE(sentence(0.0496, 0.8, 0.8, {0.6}).starts_with("Attention matters: ")) << "shown as 5 %";
  EXPECT_TRUE(contains(sentence(0.0449, 0.8, 0.8, {0.6}), "matters little")) << "shown as 4 %";
  EXPECT_TRUE(sentence(0, 0.8, 0.7504, {0.6}).starts_with("Attention matters: ")) << "shown as 0.800 to 0.750";
  EXPECT_TRUE(contains(sentence(0, 0.8, 0.7506, {0.6}), "matters little")) << "shown as 0.800 to 0.751";
  EXPECT_TRUE(contains(sentence(0, 0.8, 0.8, {0.949}), "falls to 94 %")) << "uneven: below 95 %";
  EXPECT_TRUE(contains(sentence(0.0004, 0.8, 0.8, {0.6}), "less than 1 % of predictions change"));
}

// Gates of a diverged run.
TEST(PathQualityText, LargeSharesFit) {
  PathQuality quality = measured(0.25, 0.8, 0.5, {0.9});
  quality.explanations->gates = {{1, 0, 0, 0, 10688577234185632817872896.0, 0}, {2, 0, 0, 0, -3.5, 0}};
  EXPECT_EQ(report::memory_rows(quality),
            (report::Rows{{"hop", "share of the memory"}, {"1", "1.07e+25"}, {"2", "-3.5000"}}));
}

TEST(PathQualityText, TablesHoldWhatIsKnown) {
  PathQuality quality = measured(0.25, 0.8, 0.5, {0.9, 0.6});
  EXPECT_EQ(report::layer_rows(quality), (report::Rows{{"layer", "entropy / even"}, {"1", "0.9000"}, {"2", "0.6000"}}));
  EXPECT_EQ(report::memory_rows(quality),
            (report::Rows{{"hop", "share of the memory"}, {"1", "0.2500"}, {"2", "0.7500"}}));
  EXPECT_FALSE(report::to_json(quality).contains("recovery"));
  quality.recovery = PathRecovery{.rows = 4, .auc = {0.5, 0.875}, .laplacian_auc = 0.5, .best_layer = 2};
  EXPECT_EQ(report::layer_rows(quality)[2], (std::vector<std::string>{"2", "0.6000", "0.8750"}));
  const report::Json json = report::to_json(quality);
  EXPECT_EQ(json["recovery"]["best_auc"], 0.875);
  EXPECT_FALSE(json["recovery"].contains("precision")) << "no explained node has a true path";
  EXPECT_EQ(json["fidelity"]["model"]["plus"], 0.43);
  EXPECT_EQ(json["even"]["changed"], 0.25);
  EXPECT_EQ(json["memory"][1]["share"], 0.75);
  const std::string page = report::quality_section(quality);
  for (const char* part :
       {"<b>Attention matters", "Over 200 test nodes, the 10 strongest paths of at most 3 hops into each",
        "<td>0.8750</td>", "Memory by hop", "fidelity+", "<td>0.2500</td>"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
  quality.options.top = 1;
  EXPECT_EQ(report::quality_scope(quality), "200 test nodes, the strongest path of at most 3 hops into each");
  EXPECT_EQ(report::length_rows({{0, 1200, 0.5}}),
            (report::Rows{{"path length", "nodes", "accuracy"}, {"0", "1,200", "0.5000"}}));
}

TEST(PathQualityText, IsRecordedInTheRun) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch.path());
  EXPECT_FALSE(report::recorded_quality(folder));
  const PathQuality quality = measured(0.25, 0.8, 0.5, {0.9, 0.6});
  report::record_quality(folder, quality, "0123456789abcdef");
  auto read = report::recorded_quality(folder);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->at("weights"), "0123456789abcdef");
  read->erase("weights");
  EXPECT_EQ(*read, report::to_json(quality));
  std::string text = read_text(scratch / "paths.json");
  text.replace(text.find("0.43"), 4, "0.44");
  scratch.write("paths.json", text);
  EXPECT_ERROR(report::recorded_quality(folder), "paths.json");
}

}  // namespace
}  // namespace geniepath
