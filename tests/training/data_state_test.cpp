#include "run/data_state.h"

#include <gtest/gtest.h>

#include "training/small_data.h"

namespace geniepath {
namespace {

using run::DataState;

class DataStateOfARun : public ::testing::Test {
 protected:
  DataState state() const { return run::data_state(run_, raw_, source_, tables_, transforms_); }

  RunDescription run_;
  const Dataset raw_ = testing::ring_data();
  DataOptions source_ = run_.data;
  TableOptions tables_ = run_.tables;
  TransformOptions transforms_ = run_.transforms;
};

TEST_F(DataStateOfARun, IsItsOwnWithItsOptions) {
  EXPECT_EQ(state(), DataState::kOwn);
  source_.data_dir = "elsewhere", source_.verify = !source_.verify;
  EXPECT_EQ(state(), DataState::kOwn);
  source_.data_seed += 1;
  EXPECT_EQ(state(), DataState::kOther);
}

TEST_F(DataStateOfARun, TellsAnotherSplitOfItsOwn) {
  transforms_.split_seed += 1;
  EXPECT_EQ(state(), DataState::kOtherSplit);
  transforms_ = run_.transforms;
  source_.published_split += 1;
  EXPECT_EQ(state(), DataState::kOtherSplit);
  source_ = run_.data;
  tables_.split_column = "fold";
  EXPECT_EQ(state(), DataState::kOtherSplit);
  source_.size += 1;
  EXPECT_EQ(state(), DataState::kOther) << "of other data";
}

TEST_F(DataStateOfARun, TellsAnotherSplitOfItsChangedFiles) {
  run_.files.push_back({"nodes", "nodes.csv", "/nodes.csv"});
  run_.fingerprint = "that of the training";
  EXPECT_EQ(state(), DataState::kChanged);
  transforms_.split = SplitKind::kRandom;
  EXPECT_EQ(state(), DataState::kOtherSplit);
}

}  // namespace
}  // namespace geniepath
