#include "data/account_device/account_device.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "expect_error.h"

namespace geniepath {
namespace {

constexpr uint8_t kAccount = 0, kDevice = 1;

const Dataset& default_data() {
  static const Dataset data = make_account_device({});
  return data;
}

int64_t label(const Dataset& data, NodeId node) { return data.labels.data_ptr<int64_t>()[node]; }
uint8_t type(const Dataset& data, NodeId node) { return data.node_type[static_cast<size_t>(node)]; }

std::vector<NodeId> nodes_of(const Dataset& data, uint8_t wanted) {
  std::vector<NodeId> nodes;
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
    if (type(data, i) == wanted) nodes.push_back(i);
  }
  return nodes;
}

int64_t malicious_users(const Dataset& data, NodeId device) {
  const auto users = data.graph.incoming().neighbours(device);
  return std::count_if(users.begin(), users.end(), [&](NodeId user) { return label(data, user) == 1; });
}

double malicious_share(const Dataset& data, const std::vector<NodeId>& accounts) {
  const auto malicious = std::count_if(accounts.begin(), accounts.end(), [&](NodeId a) { return label(data, a) == 1; });
  return static_cast<double>(malicious) / static_cast<double>(accounts.size());
}

int64_t num_components(const Graph& graph) { return std::ranges::max(graph.components()) + 1; }

// Share of malicious accounts among the other users of malicious accounts' devices, over devices with `fewest` to
// `most` users.
double malicious_company(const Dataset& data, EdgeId fewest, EdgeId most) {
  int64_t malicious = 0, others = 0;
  for (const NodeId device : nodes_of(data, kDevice)) {
    const EdgeId users = data.graph.incoming().degree(device);
    if (users < fewest || users > most) continue;
    const int64_t flagged = malicious_users(data, device);
    malicious += flagged * (flagged - 1);
    others += flagged * (users - 1);
  }
  return static_cast<double>(malicious) / static_cast<double>(others);
}

bool same_bits(const Dataset& a, const Dataset& b) {
  const SparseMatrix &x = a.features.sparse(), &y = b.features.sparse();
  const Adjacency &g = a.graph.incoming(), &h = b.graph.incoming();
  return std::ranges::equal(x.offset, y.offset) && std::ranges::equal(x.column, y.column) &&
         std::ranges::equal(x.value, y.value) && std::ranges::equal(g.offset, h.offset) &&
         std::ranges::equal(g.neighbour, h.neighbour) && a.labels.equal(b.labels) && a.node_type == b.node_type &&
         a.train == b.train && a.valid == b.valid && a.test == b.test && a.true_edges == b.true_edges;
}

constexpr int32_t kCarriers = 396;  // the last columns, of accounts and devices alike

int32_t carrier(const Dataset& data, NodeId node) {
  const SparseMatrix& x = data.features.sparse();
  return x.column[x.offset[node + 1] - 1] - kCarriers;
}

bool is_tie(const Dataset& data, NodeId account, NodeId device) {
  return std::ranges::binary_search(data.true_edges, std::pair(account, device));
}

// Calls `see(account, devices)` with every account that is in a ring.
void for_members(const Dataset& data, const std::function<void(NodeId, std::span<const NodeId>)>& see) {
  for (const NodeId account : nodes_of(data, kAccount)) {
    const auto first = std::ranges::lower_bound(data.true_edges, std::pair(account, NodeId{0}));
    if (first == data.true_edges.end() || first->first != account) continue;
    const auto devices = data.graph.incoming().neighbours(account);
    see(account, {devices.begin(), devices.end()});
  }
}

// Mean over the members of rings of the probability that a tie's device has fewer accounts than a visited one's,
// equal numbers counting half: the path AUC of the graph Laplacian's weights.
double auc_of_degrees(const Dataset& data) {
  double sum = 0, rows = 0;
  for_members(data, [&](NodeId account, std::span<const NodeId> devices) {
    double above = 0, pairs = 0;
    for (const NodeId tie : devices) {
      for (const NodeId visit : devices) {
        if (!is_tie(data, account, tie) || is_tie(data, account, visit)) continue;
        const EdgeId own = data.graph.incoming().degree(tie), other = data.graph.incoming().degree(visit);
        above += own < other ? 1 : own == other ? 0.5 : 0;
        ++pairs;
      }
    }
    if (pairs > 0) sum += above / pairs, ++rows;
  });
  return sum / rows;
}

struct Edges {
  double count = 0, agreeing = 0;
  double share() const { return agreeing / count; }
};

// Edges of the members of rings: ties, or visits.
Edges edges_of_members(const Dataset& data, bool ties) {
  Edges edges;
  for_members(data, [&](NodeId account, std::span<const NodeId> devices) {
    for (const NodeId device : devices) {
      if (is_tie(data, account, device) != ties) continue;
      ++edges.count;
      edges.agreeing += carrier(data, account) == carrier(data, device) ? 1 : 0;
    }
  });
  return edges;
}

TEST(AccountDevice, SaysWhatItIs) {
  const Dataset& data = default_data();
  EXPECT_NO_THROW(data.validate());
  EXPECT_EQ(data.name, "account-device");
  EXPECT_EQ(data.task, Task::kBinary);
  EXPECT_EQ(data.metric, "f1");
  EXPECT_EQ(data.num_classes, 2);
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"normal", "malicious"}));
  EXPECT_EQ(data.type_names, (std::vector<std::string>{"account", "device"}));
  EXPECT_EQ(data.graph.num_nodes(), 20000);
  EXPECT_EQ(data.graph.num_edges(), 2 * 47030);
  EXPECT_EQ(data.features.num_features(), 400);
}

TEST(AccountDevice, IsMadeOfItsOptionsOnly) {
  const Dataset first = make_account_device({.nodes = 3000, .seed = 7});
  EXPECT_TRUE(same_bits(first, make_account_device({.nodes = 3000, .seed = 7})));
  const Dataset other = make_account_device({.nodes = 3000, .seed = 8});
  EXPECT_FALSE(std::ranges::equal(first.graph.incoming().neighbour, other.graph.incoming().neighbour));
  EXPECT_FALSE(std::ranges::equal(first.features.sparse().column, other.features.sparse().column));
}

TEST(AccountDevice, HasExactlyTheNodesAsked) {
  for (int64_t nodes = 1000; nodes < 1040; ++nodes) {
    for (int64_t seed = 0; seed < 3; ++seed) {
      const Dataset data = make_account_device({.nodes = nodes, .seed = seed});
      ASSERT_EQ(data.graph.num_nodes(), nodes);
      ASSERT_NO_THROW(data.validate());
      ASSERT_GT(malicious_share(data, nodes_of(data, kAccount)), 0.12) << nodes << " nodes, seed " << seed;
      ASSERT_LT(malicious_share(data, nodes_of(data, kAccount)), 0.26) << nodes << " nodes, seed " << seed;
    }
  }
}

TEST(AccountDevice, JoinsAccountsToDevicesOnly) {
  const Dataset& data = default_data();
  EXPECT_TRUE(data.graph.is_symmetric());
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
    ASSERT_GT(data.graph.incoming().degree(i), 0) << "node " << i;
    for (const NodeId j : data.graph.incoming().neighbours(i)) ASSERT_NE(type(data, i), type(data, j));
  }
}

TEST(AccountDevice, LabelsAccountsOnly) {
  const Dataset& data = default_data();
  for (const NodeId account : nodes_of(data, kAccount)) ASSERT_GE(label(data, account), 0);
  for (const NodeId device : nodes_of(data, kDevice)) ASSERT_EQ(label(data, device), -1);
  EXPECT_GT(malicious_share(data, nodes_of(data, kAccount)), 0.18);
  EXPECT_LT(malicious_share(data, nodes_of(data, kAccount)), 0.22);
}

TEST(AccountDevice, SplitsAreDisjointAndAlike) {
  const Dataset& data = default_data();
  std::set<NodeId> seen;
  for (const auto* part : {&data.train, &data.valid, &data.test}) {
    for (const NodeId node : *part) EXPECT_EQ(type(data, node), kAccount);
    seen.insert(part->begin(), part->end());
    EXPECT_NEAR(malicious_share(data, *part), 0.2, 0.03);
  }
  EXPECT_EQ(seen.size(), data.train.size() + data.valid.size() + data.test.size());
  EXPECT_EQ(data.train.size(), 4100u);
  EXPECT_EQ(data.valid.size(), 1500u);
  EXPECT_EQ(data.test.size(), 1500u);
}

TEST(AccountDevice, AccountsAndDevicesShareTheColumnsOfTheCarrierAlone) {
  const Dataset& data = default_data();
  const SparseMatrix& x = data.features.sparse();
  for (NodeId i = 0; i < data.graph.num_nodes(); ++i) {
    const auto columns = x.column.span(x.offset[i], x.offset[i + 1]);
    ASSERT_FALSE(columns.empty());
    ASSERT_EQ(std::ranges::adjacent_find(columns, std::greater_equal<>{}), columns.end()) << "node " << i;
    const auto own = columns.first(columns.size() - 1);
    ASSERT_EQ(own.front() < 280, type(data, i) == kAccount);
    ASSERT_EQ(own.back() < 280, type(data, i) == kAccount);
    ASSERT_LT(own.back(), kCarriers);
    ASSERT_GE(columns.back(), kCarriers);
  }
  EXPECT_GT(std::ranges::min(x.value), 0);
  EXPECT_LE(std::ranges::max(x.value), 3);
}

// Sizes 5 to 24; at most two devices of the chain and a gateway per account: every tie of a ring, both ways.
TEST(AccountDevice, TrueEdgesTieRingsTogether) {
  const Dataset& data = default_data();
  std::map<NodeId, int64_t> ties;
  for (const auto& [source, target] : data.true_edges) {
    ASSERT_TRUE(std::ranges::binary_search(data.graph.incoming().neighbours(target), source));
    ASSERT_TRUE(std::ranges::binary_search(data.true_edges, std::pair(target, source)));
    ++ties[target];
  }
  int64_t accounts = 0, malicious = 0;
  for (const auto& [node, count] : ties) {
    if (type(data, node) != kAccount) continue;
    ++accounts, malicious += label(data, node);
    ASSERT_LE(count, 3);
  }
  EXPECT_NEAR(static_cast<double>(malicious) / static_cast<double>(accounts), 0.95, 0.02);  // labels err
  EXPECT_NEAR(static_cast<double>(accounts), static_cast<double>(nodes_of(data, kAccount).size()) / 5, 40);
  std::vector<NodeId> source, target;
  for (const auto& [s, t] : data.true_edges) source.push_back(s), target.push_back(t);
  const Graph rings = Graph::from_edges(data.graph.num_nodes(), source, target);
  std::map<int32_t, int64_t> members;
  const auto component = rings.components();
  for (const auto& [node, _] : ties) members[component[static_cast<size_t>(node)]] += type(data, node) == kAccount;
  for (const auto& [_, count] : members) {
    EXPECT_GE(count, 5);
    EXPECT_LE(count, 24);
  }
}

TEST(AccountDevice, CarriersAgreeAtTheEndsOfATieAndNotAtThoseOfAVisit) {
  const Dataset& data = default_data();
  const Edges ties = edges_of_members(data, true), visits = edges_of_members(data, false);
  EXPECT_NEAR(ties.share(), 0.97 * 0.97, 0.02);
  EXPECT_LT(visits.share(), 0.04);
  EXPECT_GT(visits.count, 0.8 * ties.count);
  EXPECT_LT(visits.count, 1.25 * ties.count);
}

// Neither end alone says whether an edge is a tie.
TEST(AccountDevice, CarriersAloneTellNothing) {
  const Dataset& data = default_data();
  for (int32_t wanted = 0; wanted < 4; ++wanted) {
    double of_class[2]{}, with[2]{};
    for (const NodeId account : nodes_of(data, kAccount)) {
      ++of_class[label(data, account)];
      with[label(data, account)] += carrier(data, account) == wanted ? 1 : 0;
    }
    EXPECT_NEAR(with[0] / of_class[0], 0.25, 0.06) << wanted;
    EXPECT_NEAR(with[1] / of_class[1], 0.25, 0.06) << wanted;
  }
}

TEST(AccountDevice, DegreesDoNotTellTies) {
  for (int64_t seed = 31; seed < 35; ++seed) {
    EXPECT_NEAR(auc_of_degrees(make_account_device({.seed = seed})), 0.5, 0.06) << "seed " << seed;
  }
  EXPECT_NEAR(auc_of_degrees(default_data()), 0.5, 0.06);
}

// Over places of more than seven nodes: the others are households of at most four accounts and three devices.
TEST(AccountDevice, DegreesDoNotTellMaliciousAccounts) {
  const Dataset& data = default_data();
  const std::vector<int32_t> component = data.graph.components();
  std::map<int32_t, int64_t> nodes;
  for (const int32_t c : component) ++nodes[c];
  double sum[2]{}, count[2]{};
  for (const NodeId account : nodes_of(data, kAccount)) {
    if (nodes[component[static_cast<size_t>(account)]] <= 7) continue;
    sum[label(data, account)] += static_cast<double>(data.graph.incoming().degree(account));
    ++count[label(data, account)];
  }
  EXPECT_NEAR(sum[1] / count[1], sum[0] / count[0], 0.1 * sum[0] / count[0]);
}

// Half of the accounts of ring devices with at most 20 accounts, hence no gateways, are visitors, of both classes.
TEST(AccountDevice, GatewaysAndRingDevicesHaveVisitorsOfBothClasses) {
  const Dataset& data = default_data();
  EXPECT_LT(malicious_company(data, 100, data.graph.num_nodes()), 0.45);
  int64_t members = 0, visitors = 0, normal_visitors = 0;
  for (const NodeId device : nodes_of(data, kDevice)) {
    const auto first = std::ranges::lower_bound(data.true_edges, std::pair(device, NodeId{0}));
    if (first == data.true_edges.end() || first->first != device) continue;
    if (data.graph.incoming().degree(device) > 20) continue;
    for (const NodeId account : data.graph.incoming().neighbours(device)) {
      is_tie(data, account, device) ? ++members : ++visitors;
      normal_visitors += !is_tie(data, account, device) && label(data, account) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(visitors, members * 8 / 10);
  EXPECT_LT(visitors, members * 12 / 10);
  EXPECT_GT(normal_visitors, visitors / 2);
  EXPECT_LT(normal_visitors, visitors * 9 / 10);
}

TEST(AccountDevice, HasAHubOfBothClasses) {
  const Dataset& data = default_data();
  const auto degree = [&](NodeId device) { return data.graph.incoming().degree(device); };
  const NodeId hub = std::ranges::max(nodes_of(data, kDevice), {}, degree);
  const int64_t users = data.graph.incoming().degree(hub), malicious = malicious_users(data, hub);
  EXPECT_GT(users, 200);
  EXPECT_GT(malicious, users / 25);
  EXPECT_LT(malicious, users / 2);
}

TEST(AccountDevice, NodeIdsTellNothing) {
  const Dataset& data = default_data();
  const auto accounts = nodes_of(data, kAccount);
  const auto middle = accounts.begin() + std::ssize(accounts) / 2;
  EXPECT_NEAR(static_cast<double>(*middle), 10000, 400);
  EXPECT_NEAR(malicious_share(data, {accounts.begin(), middle}), malicious_share(data, {middle, accounts.end()}), 0.02);
}

// Paper, table of data sets and its text: 981,748 nodes, 2,308,614 edges, 4,000 features, 82,246 subgraphs.
TEST(AccountDevice, HasTheShapeOfThePapersData) {
  const Dataset data = make_account_device({.nodes = 981748});
  EXPECT_NO_THROW(data.validate());
  EXPECT_EQ(data.graph.num_nodes(), 981748);
  EXPECT_NEAR(static_cast<double>(data.graph.num_edges()) / 2, 2308614, 0.02 * 2308614);
  EXPECT_NEAR(static_cast<double>(num_components(data.graph)), 82246, 0.2 * 82246);
  EXPECT_EQ(data.features.num_features(), 4000);
  EXPECT_NEAR(static_cast<double>(data.features.num_nonzeros()) / 981748, 30, 5);
  EXPECT_NEAR(static_cast<double>(data.train.size()) / 981748, 0.205, 0.001);
  EXPECT_NEAR(static_cast<double>(data.test.size()) / 981748, 0.032, 0.001);
  EXPECT_NEAR(malicious_share(data, nodes_of(data, kAccount)), 0.2, 0.02);
}

TEST(AccountDevice, RefusesOtherSizes) {
  EXPECT_ERROR(make_account_device({.nodes = 999}), "account-device: size: expected 1000 to 2147483647, found 999");
  EXPECT_ERROR(make_account_device({.nodes = int64_t{1} << 31}), "expected 1000 to 2147483647, found 2147483648");
  EXPECT_ERROR(make_account_device({.nodes = -1}), "found -1");
}

}  // namespace
}  // namespace geniepath
