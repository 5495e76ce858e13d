#include "data/formats/bitcoin_otc.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "data/formats/event_summary.h"
#include "data/formats/fixed_table.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr int64_t kMostMember = std::numeric_limits<int32_t>::max();
constexpr double kHighestRating = 10;
constexpr double kLatestSecond = 1e11;  // the year 5138
constexpr double kSecondsPerDay = 86400;
constexpr int64_t kFeaturesPerSide = 7;

struct Rating {
  int32_t rater, rated;  // ids as published
  double value, time;
};

std::vector<Rating> read_ratings(const std::filesystem::path& path) {
  FixedTable table(path, {"rater", "rated", "rating", "time"}, Header::kAbsent);
  std::vector<Rating> ratings;
  while (table.next()) {
    ratings.push_back({static_cast<int32_t>(table.integer(0, 0, kMostMember)),
                       static_cast<int32_t>(table.integer(1, 0, kMostMember)),
                       table.number(2, -kHighestRating, kHighestRating), table.number(3, 0, kLatestSecond)});
    if (ratings.back().value == 0) fail(table.where(), ": rating: expected -10 to 10 without 0, found 0");
  }
  return ratings;
}

// Ascending ids; the position of an id is its node.
std::vector<int32_t> members_of(const std::vector<Rating>& ratings) {
  std::vector<int32_t> ids;
  for (const Rating& rating : ratings) ids.insert(ids.end(), {rating.rater, rating.rated});
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::optional<NodeId> find_member(const std::vector<int32_t>& members, int64_t id) {
  const auto found = std::lower_bound(members.begin(), members.end(), id);
  if (found == members.end() || *found != id) return std::nullopt;
  return static_cast<NodeId>(found - members.begin());
}

NodeId read_member(const FixedTable& table, const std::vector<int32_t>& members) {
  const int64_t id = table.integer(0, 0, kMostMember);
  const auto node = find_member(members, id);
  if (!node) fail(table.where(), ": node: member ", id, " is in no row of otc_network.csv");
  return *node;
}

struct RatingSide {
  EventSummary summary;
  int64_t negative = 0;

  void add(const Rating& rating) {
    summary.add(rating.value, rating.time);
    negative += rating.value < 0 ? 1 : 0;
  }
  std::array<double, kFeaturesPerSide> features() const {
    const double days = (summary.last - summary.first) / kSecondsPerDay;
    const double share = summary.count == 0 ? 0 : static_cast<double>(negative) / static_cast<double>(summary.count);
    return {std::log1p(static_cast<double>(summary.count)),
            summary.mean() / kHighestRating,
            summary.deviation() / kHighestRating,
            summary.lowest / kHighestRating,
            summary.highest / kHighestRating,
            share,
            std::log1p(days)};
  }
};

// Sets the graph and features.
void set_ratings(Dataset& data, const std::vector<Rating>& ratings, const std::vector<int32_t>& members) {
  std::vector<NodeId> source, target;
  std::vector<RatingSide> received(members.size()), given(members.size());
  for (const Rating& rating : ratings) {
    source.push_back(*find_member(members, rating.rater));
    target.push_back(*find_member(members, rating.rated));
    given[static_cast<size_t>(source.back())].add(rating);
    received[static_cast<size_t>(target.back())].add(rating);
  }
  const auto nodes = static_cast<NodeId>(members.size());
  data.graph = Graph::from_edges(nodes, source, target);
  at::Tensor features = at::empty({nodes, 2 * kFeaturesPerSide}, at::kFloat);
  float* out = features.data_ptr<float>();
  for (size_t node = 0; node < members.size(); ++node) {
    for (const RatingSide* side : {&received[node], &given[node]}) {
      for (const double feature : side->features()) *out++ = static_cast<float>(feature);
    }
  }
  data.features = features;
}

void read_truth(Dataset& data, const std::filesystem::path& path, const std::vector<int32_t>& members) {
  FixedTable table(path, {"node", "label"}, Header::kAbsent);
  data.labels = at::full({std::ssize(members)}, -1, at::kLong);
  auto* labels = data.labels.data_ptr<int64_t>();
  while (table.next()) {
    const NodeId node = read_member(table, members);
    const int64_t trust = table.integer(1, -1, 1);
    if (trust == 0) fail(table.where(), ": label: expected +1 or -1, found 0");
    if (labels[node] != -1) fail(table.where(), ": node: member ", members[static_cast<size_t>(node)], " occurs twice");
    labels[node] = trust == -1 ? 1 : 0;
  }
}

void check_anchor(const FixedTable& table, int64_t label, bool anchor, int64_t known) {
  if (anchor != (known >= 0)) {
    fail(table.where(), ": is_anchor: ", anchor ? 1 : 0, ", but otc_gt.csv has ", known >= 0 ? "a" : "no",
         " label for this member");
  }
  if (anchor && label != known) {
    fail(table.where(), ": label: ", label, ", but by otc_gt.csv it is ", known, " (1: fraud)");
  }
}

void read_masks(Dataset& data, const std::filesystem::path& path, const std::vector<int32_t>& members) {
  FixedTable table(path, {"node", "train_mask", "val_mask", "test_mask", "label", "is_anchor"}, Header::kPresent);
  std::vector<bool> listed(members.size(), false);
  std::array<std::vector<NodeId>*, 3> parts{&data.train, &data.valid, &data.test};
  while (table.next()) {
    const NodeId node = read_member(table, members);
    if (listed[static_cast<size_t>(node)]) {
      fail(table.where(), ": node: member ", members[static_cast<size_t>(node)], " occurs twice");
    }
    listed[static_cast<size_t>(node)] = true;
    const bool anchor = table.integer(5, 0, 1) == 1;
    check_anchor(table, table.integer(4, 0, 1), anchor, data.labels.data_ptr<int64_t>()[node]);
    int64_t masks = 0;
    for (size_t part = 0; part < parts.size(); ++part) {
      const int64_t mask = table.integer(part + 1, 0, 1);
      masks += mask;
      if (mask == 1 && anchor) parts[part]->push_back(node);
    }
    if (masks != 1) fail(table.where(), ": expected exactly one of the three masks to be 1, found ", masks);
  }
  for (std::vector<NodeId>* part : parts) std::sort(part->begin(), part->end());
}

}  // namespace

Dataset load_bitcoin_otc(const std::filesystem::path& folder, const std::string& name, int64_t split) {
  const std::vector<Rating> ratings = read_ratings(folder / "otc_network.csv");
  const std::vector<int32_t> members = members_of(ratings);
  Dataset data;
  data.name = name;
  data.task = Task::kBinary;
  data.metric = "roc_auc";
  data.num_classes = 2;
  data.class_names = {"trusted", "fraud"};
  for (const int32_t id : members) data.node_names.push_back(std::to_string(id));
  set_ratings(data, ratings, members);
  read_truth(data, folder / "otc_gt.csv", members);
  read_masks(data, folder / ("masks_" + std::to_string(split) + ".csv"), members);
  return data;
}

}  // namespace geniepath
