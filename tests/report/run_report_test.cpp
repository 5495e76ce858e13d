#include "report/run_report.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "scratch_folder.h"
#include "train/small_data.h"

namespace geniepath {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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

std::string report_on(const Dataset& data, const std::string& model, const RunFolder& folder) {
  RunDescription run;
  run.model.model = model, run.model.hidden = 4, run.model.depth = 2;
  run.train.epochs = 3;
  run.task = data.task, run.classes = data.num_classes, run.features = data.features.num_features();
  run.class_names = {"<i>none</i>", "some"};
  folder.create(run, {}, true);
  train(data, run, folder, {});
  return report::run_report(folder, data);
}

TEST(RunReport, HasEverythingForEveryTask) {
  const testing::ScratchFolder scratch;
  for (const Task task : {Task::kBinary, Task::kMultiClass, Task::kMultiLabel}) {
    SCOPED_TRACE(to_string(task));
    const std::string page = report_on(rings_as(task), "geniepath", RunFolder(scratch / to_string(task)));
    for (const char* part : {"aria-label='Loss'", "aria-label='Validation'", "aria-label='Precision and recall'",
                             "aria-label='ROC'", "aria-label='Calibration'", "aria-label='Share of the final memory'",
                             "Attention entropy over", "Receptive paths of some nodes", "3 epochs"}) {
      EXPECT_TRUE(contains(page, part)) << part;
    }
    EXPECT_FALSE(contains(page, "<i>none"));  // a class's name
    EXPECT_FALSE(contains(page, "nan"));
    for (const char* outside : {"src=", "href=", "url(", "@import", "<script"}) EXPECT_FALSE(contains(page, outside)) << outside;
  }
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
  scratch.write("run/metrics.jsonl", "{\"epoch\": 1}\n");
  EXPECT_ERROR(report::run_report(folder, data), "line 1 is not a record of an epoch");
}

}  // namespace
}  // namespace geniepath
