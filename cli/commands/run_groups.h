// Runs that differ in their seeds alone: what `compare` takes means over, and compares.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace geniepath::cli {

// What a run was told, but for its seeds; a published split or a fold is chosen like one.
struct RunIdentity {
  using Json = nlohmann::ordered_json;

  Json recipe;        // options of model, training and preparation, by name
  Json data_options;  // those that choose data, classes and test nodes
  Json files;         // those that name the data, or its files
  std::string data;   // the same for the same data: a name, a place, or a fingerprint of the contents

  bool is_of_same_data(const RunIdentity& other) const;
  std::string key() const;  // the same for runs that differ in their seeds alone
};

using Seeds = std::vector<int64_t>;  // of the training, the data and the split; the published split and the fold

struct RunGroup {
  std::string model, data, metric;
  RunIdentity identity;
  std::map<Seeds, double> test;  // scores
  // Of the same seeds, several are one run and its copies, of which the first counts.
  std::map<Seeds, std::vector<std::string>> folders;

  std::vector<double> scores() const;
};

// `metric`: the score to show; empty: the one that the runs were trained for.
std::vector<RunGroup> groups_of(const std::vector<std::string>& folders, const std::string& metric);

// By data, in the order of appearance, then the best mean first and undefined ones last.
void sort_groups(std::vector<RunGroup>& groups);

// "epochs 40, bias true": the options in which a group differs from others of its model and data.
std::string differences(const RunGroup& group, const std::vector<RunGroup>& groups);

// Whether two groups differ, by the runs of the same seeds; or why that is not tested.
std::string test_line(const RunGroup& a, const RunGroup& b);

}  // namespace geniepath::cli
