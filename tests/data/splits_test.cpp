#include "data/transforms/splits.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "expect_error.h"

namespace geniepath {
namespace {

Dataset nodes_with_labels(const at::Tensor& labels, int64_t classes) {
  Dataset data;
  data.name = "labels";
  const auto nodes = static_cast<NodeId>(labels.size(0));
  data.graph = Graph::from_edges(nodes, {}, {});
  data.task = labels.dim() == 2 ? Task::kMultiLabel : Task::kMultiClass;
  data.labels = labels;
  data.num_classes = classes;
  return data;
}

// Class 0 has 900 nodes, class 1 has 90, class 2 has 10, and 100 more are unlabelled; shuffled by a stride.
Dataset uneven_classes() {
  at::Tensor labels = at::full({1100}, -1, at::kLong);
  for (int64_t i = 0; i < 1000; ++i) labels.data_ptr<int64_t>()[i * 7 % 1100] = i < 900 ? 0 : i < 990 ? 1 : 2;
  return nodes_with_labels(labels, 3);
}

// 2000 nodes with 12 labels of decreasing frequency, about 1/2 to 1/100; a few nodes have none.
Dataset many_labels() {
  at::Tensor labels = at::zeros({2000, 12});
  const RandomStream random{3};
  for (uint64_t i = 0; i < 2000; ++i) {
    for (uint64_t l = 0; l < 12; ++l) {
      if (random.uniform(i * 12 + l) < 0.5 / std::pow(1.4, static_cast<double>(l))) {
        labels.data_ptr<float>()[i * 12 + l] = 1;
      }
    }
  }
  return nodes_with_labels(labels, 12);
}

double count_of(const Dataset& data, const std::vector<NodeId>& nodes, int64_t label) {
  double count = 0;
  for (const NodeId node : nodes) {
    count += data.task == Task::kMultiLabel ? data.labels[node][label].item<double>()
                                            : data.labels[node].item<int64_t>() == label;
  }
  return count;
}

void expect_disjoint_and_ascending(const Dataset& data) {
  std::set<NodeId> all;
  for (const auto* list : {&data.train, &data.valid, &data.test}) {
    EXPECT_TRUE(std::is_sorted(list->begin(), list->end()));
    all.insert(list->begin(), list->end());
  }
  EXPECT_EQ(all.size(), data.train.size() + data.valid.size() + data.test.size());
  data.validate();  // and labelled
}

TEST(Splits, AtRandomHaveTheSizesAsked) {
  Dataset data = uneven_classes();
  data.features = at::zeros({1100, 0});
  split_at_random(data, {0.5, 0.1, 0.4}, 1);
  EXPECT_EQ(data.train.size(), 500u);
  EXPECT_EQ(data.valid.size(), 100u);
  EXPECT_EQ(data.test.size(), 400u);
  expect_disjoint_and_ascending(data);
  split_at_random(data, {0.1, 0, 0.2}, 1);
  EXPECT_EQ(data.train.size(), 100u);
  EXPECT_EQ(data.valid.size(), 0u);
  EXPECT_EQ(data.test.size(), 200u);
}

TEST(Splits, DependOnTheSeedAlone) {
  for (const auto split : {split_at_random, split_stratified}) {
    Dataset a = uneven_classes(), b = uneven_classes(), c = uneven_classes();
    split(a, {}, 1);
    split(b, {}, 1);
    split(c, {}, 2);
    EXPECT_EQ(a.train, b.train);
    EXPECT_NE(a.train, c.train);
  }
}

TEST(Splits, StratifiedKeepsTheProportionsOfClasses) {
  Dataset data = uneven_classes();
  data.features = at::zeros({1100, 0});
  split_stratified(data, {0.5, 0.1, 0.4}, 1);
  expect_disjoint_and_ascending(data);
  const double sizes[] = {900, 90, 10};
  for (int64_t label = 0; label < 3; ++label) {
    EXPECT_EQ(count_of(data, data.train, label), 0.5 * sizes[label]);
    EXPECT_EQ(count_of(data, data.valid, label), 0.1 * sizes[label]);
    EXPECT_EQ(count_of(data, data.test, label), 0.4 * sizes[label]);
  }
}

TEST(Splits, StratifiedKeepsTheProportionsOfLabels) {
  Dataset data = many_labels();
  data.features = at::zeros({2000, 0});
  split_stratified(data, {0.5, 0.1, 0.4}, 1);
  expect_disjoint_and_ascending(data);
  EXPECT_NEAR(static_cast<double>(data.train.size()), 1000, 12);
  EXPECT_NEAR(static_cast<double>(data.valid.size()), 200, 12);
  for (int64_t label = 0; label < 12; ++label) {
    const double all = data.labels.select(1, label).sum().item<double>();
    EXPECT_NEAR(count_of(data, data.train, label), 0.5 * all, 2.5) << label << " of " << all;
    EXPECT_NEAR(count_of(data, data.valid, label), 0.1 * all, 2.5) << label << " of " << all;
    EXPECT_NEAR(count_of(data, data.test, label), 0.4 * all, 2.5) << label << " of " << all;
  }
}

TEST(Splits, StratifiedLeavesTheRestUnused) {
  Dataset data = uneven_classes();
  split_stratified(data, {0.2, 0, 0.2}, 1);
  EXPECT_EQ(data.train.size(), 200u);
  EXPECT_EQ(data.valid.size(), 0u);
  EXPECT_EQ(data.test.size(), 200u);
}

TEST(Splits, FoldsTestEveryLabelledNodeOnce) {
  std::vector<NodeId> tested;
  for (const int64_t fold : {1, 2, 3, 4, 5}) {
    Dataset data = uneven_classes(), next = uneven_classes();
    split_into_folds(data, 5, fold, 1);
    split_into_folds(next, 5, fold % 5 + 1, 1);
    EXPECT_EQ(data.valid, next.test);
    const double sizes[] = {900, 90, 10};
    for (int64_t label = 0; label < 3; ++label) {
      EXPECT_EQ(count_of(data, data.train, label), 0.6 * sizes[label]);
      EXPECT_EQ(count_of(data, data.test, label), 0.2 * sizes[label]);
    }
    tested.insert(tested.end(), data.test.begin(), data.test.end());
  }
  std::ranges::sort(tested);
  EXPECT_EQ(std::ranges::adjacent_find(tested), tested.end());
  EXPECT_EQ(tested.size(), 1000u);
}

TEST(Splits, SayWhatIsWrong) {
  Dataset data = uneven_classes();
  EXPECT_ERROR(split_at_random(data, {0.5, 0.5, 0.5}, 1), "= 1.5, expected at most 1");
  EXPECT_ERROR(split_stratified(data, {-0.1, 0.5, 0.5}, 1), "expected at most 1");
  EXPECT_ERROR(split_into_folds(data, 3, 4, 1), "fold 4 of 3");
  data.labels.fill_(-1);
  EXPECT_ERROR(split_at_random(data, {}, 1), "labels has no labelled node");
}

}  // namespace
}  // namespace geniepath
