// The presets of configs/: each is a config file of `train`, for the data and the model in its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "arguments/train_command.h"
#include "terminal/config_file.h"

namespace geniepath::cli {
namespace {

// The options of `train` that the file sets; an exception names the first that is none.
TrainCommand parse(const std::filesystem::path& file) {
  CLI::App app;
  TrainCommand command;
  command.bind(*app.add_subcommand("train"));
  std::vector<std::string> arguments = with_config_file(app, {"train", "--config=" + file.string()});
  std::reverse(arguments.begin(), arguments.end());
  app.parse(std::move(arguments));
  command.settle();  // an exception names the first option without effect
  return command;
}

// What a preset's name may have after its model's.
const std::set<std::string> kVariants{
    "", "-residual", "-residual-sampled", "-deep", "-largest", "-paper", "-consistency"};

TEST(Presets, AreWhatTheirNamesSay) {
  size_t presets = 0;
  for (const auto& file : std::filesystem::directory_iterator(GENIEPATH_PRESETS)) {
    const std::string name = file.path().stem().string();
    SCOPED_TRACE(name);
    const TrainCommand train = parse(file.path());
    const std::string& data = train.data.data.data;
    EXPECT_EQ(name.rfind(data + "-", 0), 0u) << "reads " << data;
    const std::string method = name.substr(data.size() + 1);
    // GraphSAGE's own aggregator "GCN" is the model gcn-mean.
    const std::string model = method == "graphsage-gcn" ? "gcn-mean" : method;
    ASSERT_EQ(model.rfind(train.model.model, 0), 0u) << "trains " << train.model.model;
    const std::string variant = model.substr(train.model.model.size());
    EXPECT_TRUE(kVariants.contains(variant)) << "trains " << train.model.model;
    EXPECT_TRUE(!variant.starts_with("-residual") || train.model.residual != Residual::kNone);
    EXPECT_TRUE(variant != "" || method.rfind("geniepath", 0) != 0 || train.model.residual == Residual::kNone);
    ++presets;
  }
  EXPECT_GT(presets, 40u);
}

}  // namespace
}  // namespace geniepath::cli
