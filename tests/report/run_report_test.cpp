#include "found_text.h"
#include "report/run_report.h"

#include <gtest/gtest.h>

#include "data/transforms/one_hot.h"
#include "expect_error.h"
#include "report/numbers.h"
#include "report/training_section.h"
#include "run/trained_run.h"
#include "scratch_folder.h"
#include "training/small_data.h"

namespace geniepath {
namespace {

using testing::contains;

// The rings' classes as a task of that kind.
Dataset rings_as(Task task) {
  Dataset data = testing::ring_data();
  data.task = task;
  if (task == Task::kBinary) data.labels = (data.labels == 1).to(at::kLong), data.num_classes = 2, data.metric = "f1";
  if (task == Task::kMultiLabel) {
    data.labels = at::one_hot(data.labels, 3).to(at::kFloat);
    data.metric = "micro_f1";
  }
  return data;
}

RunDescription small_run(const Dataset& data, const std::string& model) {
  RunDescription run;
  run.model.model = model, run.model.hidden = 4, run.model.depth = 2;
  run.train.epochs = 3;
  run.task = data.task, run.classes = data.num_classes, run.features = data.features.num_features();
  run.class_names = {"<i>none</i>", "some"};
  return run;
}

// The epoch records reported during training.
std::vector<EpochRecord> train_in(const RunFolder& folder, const Dataset& data, const RunDescription& run) {
  std::vector<EpochRecord> records;
  folder.create(run, {}, true);
  train(data, run, folder, {.on_epoch = [&](const EpochRecord& record) { records.push_back(record); }});
  return records;
}

std::string report_on(const Dataset& data, const std::string& model, const RunFolder& folder) {
  train_in(folder, data, small_run(data, model));
  return report::run_report(folder, data).page;
}

std::vector<std::string> names_of(const report::LineChart& chart) {
  std::vector<std::string> names;
  for (const report::Series& series : chart.series) names.push_back(series.name);
  return names;
}

std::string cells(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += "<td>" + report::fixed(value, 4) + "</td>";
  return out;
}

TEST(RunReport, HasEverythingForEveryTask) {
  const testing::ScratchFolder scratch;
  for (const Task task : {Task::kBinary, Task::kMultiClass, Task::kMultiLabel}) {
    SCOPED_TRACE(to_string(task));
    const std::string page = report_on(rings_as(task), "geniepath", RunFolder(scratch / to_string(task)));
    for (const char* part :
         {"aria-label='Loss'", "aria-label='Validation'", "aria-label='Precision and recall'", "aria-label='ROC'",
          "aria-label='Calibration'", "aria-label='Gain'", "aria-label='Lift'", "aria-label='Scores'",
          "Counts in the bins of the calibration", "kept: epoch", "aria-label='Share of the final memory'",
          "Attention entropy relative", "Receptive paths of some nodes", "3 epochs"}) {
      EXPECT_TRUE(contains(page, part)) << part;
    }
    EXPECT_EQ(contains(page, "Confusion matrix"), task != Task::kMultiLabel);
    EXPECT_EQ(contains(page, "aria-label='Cost by threshold'"), task == Task::kBinary);
    EXPECT_FALSE(contains(page, "<i>none"));  // a class's name
    EXPECT_FALSE(contains(page, "nan"));
    for (const char* outside : {"src=", "href=", "url(", "@import", "<script"})
      EXPECT_FALSE(contains(page, outside)) << outside;
  }
}

TEST(RunReport, ScoresAreThoseOfTheTestNodes) {
  const testing::ScratchFolder scratch;
  for (const Task task : {Task::kBinary, Task::kMultiClass, Task::kMultiLabel}) {
    SCOPED_TRACE(to_string(task));
    const Dataset data = rings_as(task);
    const RunFolder folder(scratch / to_string(task));
    const std::string page = report_on(data, "geniepath", folder);
    const Scores scores = evaluate(*load_model(folder), data, data.test);
    std::vector<double> summary;
    for (const std::string& name : Scores::names()) summary.push_back(scores.by_name(name));
    EXPECT_TRUE(contains(page, "<tbody><tr>" + cells(summary) + "</tr></tbody>")) << cells(summary);
    for (const ClassScores& c : scores.classes) {
      const std::string row = "<td>" + std::to_string(c.positives) + "</td>" +
                              cells({c.precision, c.recall, c.f1, c.roc_auc, c.average_precision});
      EXPECT_TRUE(contains(page, row)) << row;
    }
    EXPECT_TRUE(contains(page, "240 nodes, 240 edge entries, 4 features"));
    EXPECT_TRUE(contains(page, "160 training, 40 validation and 40 test nodes"));
  }
}

TEST(RunReport, ConfusionsAreThoseOfTheTestNodes) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = rings_as(Task::kMultiClass);
  const std::string page = report_on(data, "geniepath", folder);
  const at::Tensor predicted = predict(*load_model(folder), data).argmax(1);
  for (int64_t label = 0; label < 3; ++label) {
    std::string row;
    for (int64_t guess = 0; guess < 3; ++guess) {
      const auto both = std::ranges::count_if(data.test, [&](NodeId node) {
        return data.labels[node].item<int64_t>() == label && predicted[node].item<int64_t>() == guess;
      });
      row += "<td>" + std::to_string(both) + "</td>";
    }
    EXPECT_TRUE(contains(page, row + "</tr>")) << row;
  }
}

TEST(RunReport, ClassesHaveTheNamesThatWereChosen) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = rings_as(Task::kBinary);
  report_on(data, "geniepath", folder);
  const std::string page = report::run_report(folder, data, {}, {}, {.class_names = {"fine", "bad & worse"}}).page;
  EXPECT_TRUE(contains(page, "predicted bad &amp; worse"));
  EXPECT_FALSE(contains(page, "some</th>"));
}

TEST(RunReport, TheEpochThatWasKeptIsMarked) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = rings_as(Task::kMultiClass);
  train_in(folder, data, small_run(data, "geniepath"));
  report::Epochs epochs = report::read_epochs(folder);
  for (auto& epoch : epochs) epoch["best"] = epoch["epoch"] == 2;
  EXPECT_EQ(report::loss_chart(epochs).mark->x, 2);
  EXPECT_EQ(report::validation_chart(epochs, "accuracy").mark->text, "kept: epoch 2");
  EXPECT_TRUE(contains(svg(report::loss_chart(epochs)), "kept: epoch 2"));
}

TEST(RunReport, ChartsHoldWhatTrainingRecorded) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = rings_as(Task::kMultiClass);
  RunDescription run = small_run(data, "geniepath");
  run.train.metric = "roc_auc";
  const std::vector<EpochRecord> records = train_in(folder, data, run);
  const report::Epochs epochs = report::read_epochs(folder);
  const report::LineChart loss = report::loss_chart(epochs), scores = report::validation_chart(epochs, "roc_auc");
  ASSERT_EQ(names_of(scores), (std::vector<std::string>{"roc_auc", "accuracy", "average_precision"}));
  ASSERT_EQ(records.size(), 3u);
  for (size_t n = 0; n < 3; ++n) {
    const auto epoch = static_cast<double>(n + 1);
    EXPECT_EQ(loss.series[0].points.at(n), std::pair(epoch, records[n].loss));
    for (const report::Series& series : scores.series) {
      EXPECT_EQ(series.points.at(n), std::pair(epoch, records[n].valid.by_name(series.name))) << series.name;
    }
  }
}

TEST(RunReport, ScoresThatWereNotComputedAreNotDrawn) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = rings_as(Task::kBinary);
  train_in(folder, data, small_run(data, "geniepath"));
  report::Epochs epochs = report::read_epochs(folder);
  EXPECT_EQ(names_of(report::validation_chart(epochs, "f1")), (std::vector<std::string>{"f1", "accuracy"}));
  epochs[1]["valid"]["roc_auc"] = 0.75;
  const report::LineChart chart = report::validation_chart(epochs, "f1");
  ASSERT_EQ(names_of(chart), (std::vector<std::string>{"f1", "accuracy", "roc_auc"}));
  EXPECT_TRUE(std::isnan(chart.series[2].points.at(0).second));
  EXPECT_EQ(chart.series[2].points.at(1).second, 0.75);
}

// A run trained on walks is scored once, at the end.
TEST(RunReport, EpochsThatWereNotScoredHaveNoChart) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  Dataset data = testing::ring_data(6, 40, false);
  data.features = one_hot_ids(data.graph.num_nodes());
  RunDescription run = small_run(data, "node2vec");
  set_walk_defaults(run);
  run.train.epochs = 3, run.walk.walk_length = 10;
  train_in(folder, data, run);
  const report::Epochs epochs = report::read_epochs(folder);
  EXPECT_TRUE(report::validation_chart(epochs, "accuracy").series.empty());
  const std::string page = report::run_report(folder, data).page;
  EXPECT_TRUE(contains(page, "aria-label='Loss'"));
  EXPECT_FALSE(contains(page, "aria-label='Validation'"));
  EXPECT_TRUE(contains(page, "<p>3 epochs.</p>"));
}

// No node has class 2: it is not ranked, and its ROC-AUC is not shown as 0.
TEST(RunReport, AClassThatNobodyHasIsNotRanked) {
  const testing::ScratchFolder scratch;
  Dataset data = rings_as(Task::kMultiClass);
  data.labels = data.labels.clamp_max(1);
  const std::string page = report_on(data, "geniepath", RunFolder(scratch / "run"));
  EXPECT_TRUE(contains(page, "<th scope='row'>2</th><td>0</td>" + cells({0, 0, 0}) + "<td>–</td><td>–</td>"));
}

// The sample of the quality and the nodes tried for openings.
TEST(RunReport, ProgressCountsBothPartsAsOne) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  Dataset data = rings_as(Task::kMultiClass);
  data.graph = data.graph.with({.symmetrise = true});  // two neighbours for every node
  train_in(folder, data, small_run(data, "geniepath"));
  PathQualityOptions options;
  options.sample = 5;
  int64_t last = 0, all = 0;
  report::run_report(folder, data, options, [&](int64_t done, int64_t nodes) {
    EXPECT_EQ(done, last + 1);
    EXPECT_EQ(nodes, all > 0 ? all : nodes);
    last = done, all = nodes;
  });
  EXPECT_GT(all, options.sample);
  EXPECT_EQ(last, all);
}

TEST(RunReport, WithoutValidationNodesScoresAreThoseOfTheTrainingNodes) {
  const testing::ScratchFolder scratch;
  Dataset data = rings_as(Task::kMultiClass);
  data.train.insert(data.train.end(), data.valid.begin(), data.valid.end());
  data.valid.clear();
  const std::string page = report_on(data, "geniepath", RunFolder(scratch / "run"));
  EXPECT_TRUE(contains(page, ", where training accuracy was highest, as there are no validation nodes"));
  EXPECT_TRUE(contains(page, "Scores of the training nodes"));
  EXPECT_FALSE(contains(page, "aria-label='Validation'"));
}

TEST(RunReport, ThereMayBeNoTestNodes) {
  const testing::ScratchFolder scratch;
  Dataset data = rings_as(Task::kMultiClass);
  data.train.insert(data.train.end(), data.test.begin(), data.test.end());
  data.test.clear();
  const std::string page = report_on(data, "geniepath", RunFolder(scratch / "run"));
  EXPECT_TRUE(contains(page, "There are no test nodes."));
  EXPECT_FALSE(contains(page, "No test node has two neighbours."));
}

TEST(RunReport, SomeNodesHaveVerdictsAndColumns) {
  const testing::ScratchFolder scratch;
  Dataset data = rings_as(Task::kBinary);
  data.graph = data.graph.with({.symmetrise = true});
  const std::string page = report_on(data, "geniepath", RunFolder(scratch / "run"));
  EXPECT_TRUE(contains(page, "<p class='verdict'>"));
  EXPECT_TRUE(contains(page, "lagged as some, "));
  EXPECT_TRUE(contains(page, "Which columns decided"));
}

TEST(RunReport, AModelWithoutAttentionHasNoPaths) {
  const testing::ScratchFolder scratch;
  const std::string page = report_on(rings_as(Task::kMultiClass), "mlp", RunFolder(scratch / "mlp"));
  EXPECT_TRUE(contains(page, "does not attend to neighbours"));
  EXPECT_TRUE(contains(page, "aria-label='ROC'"));
}

TEST(RunReport, DamagedMetricsAreSaid) {
  const testing::ScratchFolder scratch;
  const RunFolder folder(scratch / "run");
  const Dataset data = rings_as(Task::kMultiClass);
  report_on(data, "geniepath", folder);
  for (const char* line : {R"({"epoch": 1})", R"({"epoch": 1, "loss": 2})", R"({"epoch": 1, "loss": 2, "valid": 3})",
                           R"({"epoch": 1, "loss": 2, "valid": {"f1": "x"}})"}) {
    scratch.write("run/metrics.jsonl", std::string(line) + "\n");
    EXPECT_ERROR(report::run_report(folder, data), "line 1 is not a record of an epoch");
  }
  scratch.write("run/metrics.jsonl", "{\n");
  EXPECT_ERROR(report::run_report(folder, data), "line 1: not JSON");
}

}  // namespace
}  // namespace geniepath
