#include "data/account_device/account_device.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <span>

#include "data/account_device/account_device_features.h"
#include "data/account_device/account_device_world.h"
#include "data/draws.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

using namespace account_device;

constexpr int64_t kFewestNodes = 1000;
constexpr double kMissedShare = 0.05;  // of the malicious accounts

// Below, account a is node ids[a] and device d is node ids[accounts + d].

Graph make_graph(const World& world, std::span<const NodeId> ids) {
  std::vector<NodeId> account_ids, device_ids;
  account_ids.reserve(static_cast<size_t>(world.edges));
  device_ids.reserve(static_cast<size_t>(world.edges));
  const auto device_id = ids.subspan(world.accounts.size());
  for (size_t a = 0; a < world.accounts.size(); ++a) {
    for (const NodeId device : world.accounts[a].devices) {
      account_ids.push_back(ids[a]);
      device_ids.push_back(device_id[static_cast<size_t>(device)]);
    }
  }
  return Graph::from_edges(static_cast<NodeId>(world.nodes()), account_ids, device_ids, {.symmetrise = true});
}

// The ties of rings, in both directions.
std::vector<std::pair<NodeId, NodeId>> make_true_edges(const World& world, std::span<const NodeId> ids) {
  std::vector<std::pair<NodeId, NodeId>> edges;
  const auto device_id = ids.subspan(world.accounts.size());
  for (size_t a = 0; a < world.accounts.size(); ++a) {
    const Account& account = world.accounts[a];
    if (!world.in_ring(account.group)) continue;
    for (const NodeId device : std::span(account.devices).first(static_cast<size_t>(account.own_devices))) {
      const NodeId id = device_id[static_cast<size_t>(device)];
      edges.emplace_back(ids[a], id);
      edges.emplace_back(id, ids[a]);
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

at::Tensor make_labels(const World& world, std::span<const NodeId> ids, uint64_t seed) {
  at::Tensor labels = at::full({world.nodes()}, -1, at::kLong);
  const double wrongly_flagged = kMissedShare * kMaliciousShare / (1 - kMaliciousShare);
  Random random{seed, kLabels};
  for (size_t a = 0; a < world.accounts.size(); ++a) {
    const bool malicious = world.in_ring(world.accounts[a].group);
    const bool wrong = happens(random, malicious ? kMissedShare : wrongly_flagged);
    labels.data_ptr<int64_t>()[ids[a]] = malicious != wrong ? 1 : 0;
  }
  return labels;
}

void split(Dataset& data, std::span<const NodeId> account_ids, uint64_t seed) {
  std::vector<NodeId> order(account_ids.begin(), account_ids.end());
  shuffle(order, Random{seed, kSplits});
  const auto nodes = static_cast<double>(data.graph.num_nodes());
  const auto training = static_cast<ptrdiff_t>(0.205 * nodes);
  const auto at_least = std::min<ptrdiff_t>(1500, std::ssize(order) / 5);
  const auto held_out = std::max(at_least, static_cast<ptrdiff_t>(0.032 * nodes));
  auto next = order.cbegin();
  const auto take = [&](ptrdiff_t count) {
    std::vector<NodeId> part(next, next + count);
    next += count;
    std::sort(part.begin(), part.end());
    return part;
  };
  data.train = take(training);
  data.valid = take(held_out);
  data.test = take(held_out);
}

void name_kinds(Dataset& data, std::span<const NodeId> device_ids) {
  data.type_names = {"account", "device"};
  data.node_type.assign(static_cast<size_t>(data.graph.num_nodes()), 0);
  for (const NodeId device : device_ids) data.node_type[static_cast<size_t>(device)] = 1;
}

}  // namespace

Dataset make_account_device(const AccountDeviceOptions& options) {
  if (options.nodes < kFewestNodes || options.nodes > kMostAccountDeviceNodes) {
    fail("account-device: size: expected ", kFewestNodes, " to ", kMostAccountDeviceNodes, ", found ", options.nodes);
  }
  const auto seed = static_cast<uint64_t>(options.seed);
  const World world = make_world(options.nodes, seed);
  const std::vector<NodeId> ids = shuffled_ids(static_cast<NodeId>(world.nodes()), Random{seed, kOrder});
  const auto account_ids = std::span(ids).first(world.accounts.size());

  Dataset data;
  data.name = "account-device";
  data.task = Task::kBinary;
  data.metric = "f1";
  data.num_classes = 2;
  data.class_names = {"normal", "malicious"};
  data.graph = make_graph(world, ids);
  data.features = make_features(world, ids, seed);
  data.labels = make_labels(world, ids, seed);
  data.true_edges = make_true_edges(world, ids);
  name_kinds(data, std::span(ids).subspan(world.accounts.size()));
  split(data, account_ids, seed);
  return data;
}

}  // namespace geniepath
