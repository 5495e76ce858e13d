#include "data/formats/amlsim.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <limits>

#include "data/formats/event_summary.h"
#include "data/formats/fixed_table.h"
#include "geniepath/error.h"

namespace geniepath {
namespace {

constexpr int64_t kMostAccounts = std::numeric_limits<NodeId>::max();
constexpr int64_t kMostStep = 1'000'000'000;
constexpr double kMostMoney = 1e15;
constexpr int64_t kOwnFeatures = 2;
constexpr int64_t kFeaturesPerFlow = 8;

struct Accounts {
  std::vector<int64_t> fraud;
  std::vector<double> balance;
};

Accounts read_accounts(const std::filesystem::path& path) {
  FixedTable table(path, {"nodeid", "isFraud", "init_balance", "fraudStep"}, Header::kPresent);
  Accounts accounts;
  while (table.next()) {
    const auto row = std::ssize(accounts.fraud);
    if (row == kMostAccounts) fail(table.where(), ": more than ", kMostAccounts, " accounts");
    table.integer(0, row, row);
    accounts.fraud.push_back(table.integer(1, 0, 1));
    accounts.balance.push_back(table.number(2, -kMostMoney, kMostMoney));
    table.integer(3, -1, kMostStep);
  }
  return accounts;
}

struct Transfers {
  std::vector<NodeId> source, target;
  std::vector<EventSummary> received, sent;  // of each account
  double last_step = 0;
};

Transfers read_transfers(const std::filesystem::path& path, size_t accounts) {
  FixedTable table(path, {"sourceNodeId", "targetNodeId", "value", "time"}, Header::kPresent);
  Transfers transfers;
  transfers.received.resize(accounts);
  transfers.sent.resize(accounts);
  const auto highest = static_cast<int64_t>(accounts) - 1;
  while (table.next()) {
    transfers.source.push_back(static_cast<NodeId>(table.integer(0, 0, highest)));
    transfers.target.push_back(static_cast<NodeId>(table.integer(1, 0, highest)));
    const double value = table.number(2, 0, kMostMoney);
    const auto step = static_cast<double>(table.integer(3, 0, kMostStep));
    transfers.sent[static_cast<size_t>(transfers.source.back())].add(value, step);
    transfers.received[static_cast<size_t>(transfers.target.back())].add(value, step);
    transfers.last_step = std::max(transfers.last_step, step);
  }
  return transfers;
}

std::array<double, kFeaturesPerFlow> flow_features(const EventSummary& flow, EdgeId partners, double last_step) {
  const double steps = std::max(1.0, last_step);
  return {std::log1p(static_cast<double>(flow.count)),
          std::log1p(static_cast<double>(partners)),
          std::log1p(flow.sum),
          std::log1p(flow.mean()),
          std::log1p(flow.deviation()),
          std::log1p(flow.highest),
          flow.first / steps,
          flow.last / steps};
}

at::Tensor account_features(const Accounts& accounts, const Transfers& transfers, const Graph& graph) {
  at::Tensor features = at::empty({graph.num_nodes(), kOwnFeatures + 2 * kFeaturesPerFlow}, at::kFloat);
  float* out = features.data_ptr<float>();
  for (NodeId node = 0; node < graph.num_nodes(); ++node) {
    const auto at = static_cast<size_t>(node);
    const EventSummary &received = transfers.received[at], &sent = transfers.sent[at];
    const double moved = received.sum + sent.sum;
    *out++ = static_cast<float>(accounts.balance[at]);
    *out++ = static_cast<float>(moved == 0 ? 0 : (received.sum - sent.sum) / moved);
    const auto in = flow_features(received, graph.incoming().degree(node), transfers.last_step);
    const auto away = flow_features(sent, graph.outgoing().degree(node), transfers.last_step);
    out = std::copy(in.begin(), in.end(), out);
    out = std::copy(away.begin(), away.end(), out);
  }
  return features;
}

}  // namespace

Dataset load_amlsim(const std::filesystem::path& folder, const std::string& name) {
  const Accounts accounts = read_accounts(folder / "nodes.csv");
  const Transfers transfers = read_transfers(folder / "transactions.csv", accounts.fraud.size());
  Dataset data;
  data.name = name;
  data.task = Task::kBinary;
  data.metric = "average_precision";
  data.num_classes = 2;
  data.class_names = {"ordinary", "fraud"};
  data.labels = at::tensor(accounts.fraud, at::kLong);
  data.graph = Graph::from_edges(static_cast<NodeId>(accounts.fraud.size()), transfers.source, transfers.target);
  data.features = account_features(accounts, transfers, data.graph);
  return data;
}

}  // namespace geniepath
