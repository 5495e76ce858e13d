#include "tune/usual_ranges.h"

#include "base/option_rules.h"

namespace geniepath::tune {
namespace {

std::vector<std::string> ranges_of(const ModelConfig& model) {
  const std::string& name = model.model;
  if (name == "node2vec") return {"p=choice:0.25,0.5,1,2,4", "q=choice:0.25,0.5,1,2,4"};
  if (name == "deepwalk") return {"window=choice:5,10,15", "walk-length=choice:20,40,80"};
  std::vector<std::string> ranges{"learning-rate=log:1e-3:3e-2", "hidden=choice:16,32,64,128", "dropout=0:0.6"};
  const auto add = [&](std::initializer_list<const char*> more) {
    ranges.insert(ranges.end(), more.begin(), more.end());
  };
  if (name == "mlp") {
    add({"depth=1:3", "l2=log:1e-6:1e-3"});
  } else if (name == "chebyshev") {
    add({"order=1:3", "l2=log:1e-6:1e-3"});
  } else if (name == "gat") {
    add({"depth=2:3", "heads=choice:1,4,8", "attention-dropout=0:0.6", "l2=log:1e-6:1e-3"});
  } else if (name.starts_with("gcn") || name.starts_with("graphsage")) {
    add({"depth=2:4", "l2=log:1e-6:1e-3"});
  } else {
    add({"depth=2:6", "weight-decay=log:1e-4:1e-1"});
  }
  return ranges;
}

}  // namespace

std::vector<std::string> usual_ranges(const Recipe& recipe, const IsGiven& given) {
  const OptionRules rules({&recipe.model, &recipe.train, &recipe.walk});
  std::vector<std::string> ranges = ranges_of(recipe.model);
  std::erase_if(ranges, [&](const std::string& range) {
    const std::string option = range.substr(0, range.find('='));
    return given(option) || !rules.obstacle(option).empty();
  });
  return ranges;
}

}  // namespace geniepath::tune
