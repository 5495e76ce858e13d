#include "data/formats/s_ffsd.h"

#include <ATen/ATen.h>

#include <array>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "data/formats/fixed_table.h"
#include "geniepath/error.h"
#include "io/interner.h"

namespace geniepath {
namespace {

constexpr size_t kParties = 4;                                   // source, target, location, type
constexpr std::array<size_t, kParties> kPartyColumn{1, 2, 4, 5};  // in the file
constexpr size_t kPreceding = 2;                                 // payments of a party that send messages
constexpr int64_t kPaymentFeatures = 1 + 4 * kParties + (kParties - 1);
constexpr int64_t kMostPayments = std::numeric_limits<NodeId>::max();
constexpr double kMostAmount = 1e15, kLatestPayment = 1e15;
constexpr int64_t kUnknownLabel = 2;

struct Payment {
  double time = 0;
  double amount = 0;  // ln(1 + amount)
  std::array<int32_t, kParties> party{};
};

// Summary of a party's payments so far.
struct PartyHistory {
  int64_t count = 0;
  double last_time = 0, sum = 0;
  std::array<NodeId, kPreceding> preceding{};  // a ring: the latest at (count - 1) % kPreceding

  void add(NodeId node, const Payment& payment) {
    preceding[static_cast<size_t>(count) % kPreceding] = node;
    ++count;
    last_time = payment.time;
    sum += payment.amount;
  }
};

// Takes payments one at a time, so that nothing later can enter a feature or an edge.
class PaymentStream {
 public:
  void add(const Payment& payment) {
    const auto node = static_cast<NodeId>(nodes_++);
    features_.push_back(static_cast<float>(payment.amount));
    for (size_t kind = 0; kind < kParties; ++kind) {
      const auto party = static_cast<size_t>(payment.party[kind]);
      if (party >= history_[kind].size()) history_[kind].resize(party + 1);
      PartyHistory& history = history_[kind][party];
      add_edges(history, node);
      add_features(history, payment);
      history.add(node, payment);
    }
    for (size_t kind = 1; kind < kParties; ++kind) {
      int64_t& earlier = together_[kind - 1][pair_key(payment.party[0], payment.party[kind])];
      features_.push_back(static_cast<float>(std::log1p(static_cast<double>(earlier++))));
    }
  }

  Graph graph() const { return Graph::from_edges(static_cast<NodeId>(nodes_), source_, target_); }
  at::Tensor features() const { return at::tensor(features_).view({nodes_, kPaymentFeatures}); }

 private:
  static uint64_t pair_key(int32_t a, int32_t b) {
    return static_cast<uint64_t>(a) << 32 | static_cast<uint32_t>(b);
  }

  void add_edges(const PartyHistory& history, NodeId node) {
    const auto senders = std::min(static_cast<size_t>(history.count), kPreceding);
    for (size_t i = 0; i < senders; ++i) {
      source_.push_back(history.preceding[i]);
      target_.push_back(node);
    }
  }

  void add_features(const PartyHistory& history, const Payment& payment) {
    if (history.count == 0) {
      features_.insert(features_.end(), 4, 0.0f);
      return;
    }
    const double mean = history.sum / static_cast<double>(history.count);
    for (const double feature : {std::log1p(static_cast<double>(history.count)),
                                 std::log1p(payment.time - history.last_time), mean, payment.amount - mean}) {
      features_.push_back(static_cast<float>(feature));
    }
  }

  int64_t nodes_ = 0;
  std::array<std::vector<PartyHistory>, kParties> history_;
  std::array<std::unordered_map<uint64_t, int64_t>, kParties - 1> together_;  // source with each other kind
  std::vector<NodeId> source_, target_;
  std::vector<float> features_;
};

// Splits the labelled payments by time: the first half, the next tenth, the rest.
void split_by_time(Dataset& data, const std::vector<int64_t>& labels) {
  std::vector<NodeId> labelled;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] >= 0) labelled.push_back(static_cast<NodeId>(i));
  }
  const auto train = labelled.begin() + std::ssize(labelled) / 2;
  const auto valid = labelled.begin() + std::ssize(labelled) * 6 / 10;
  data.train.assign(labelled.begin(), train);
  data.valid.assign(train, valid);
  data.test.assign(valid, labelled.end());
}

}  // namespace

Dataset load_s_ffsd(const std::filesystem::path& folder, const std::string& name) {
  FixedTable table(folder / "S-FFSD.csv", {"Time", "Source", "Target", "Amount", "Location", "Type", "Labels"},
                   Header::kPresent);
  PaymentStream stream;
  std::array<Interner, kParties> names;
  std::vector<int64_t> labels;
  Payment payment;
  while (table.next()) {
    if (std::ssize(labels) == kMostPayments) fail(table.where(), ": more than ", kMostPayments, " payments");
    payment.time = table.number(0, payment.time, kLatestPayment);  // never before the row above
    payment.amount = std::log1p(table.number(3, 0, kMostAmount));
    for (size_t kind = 0; kind < kParties; ++kind) {
      payment.party[kind] = names[kind].add(table.text(kPartyColumn[kind]));
    }
    const int64_t label = table.integer(6, 0, kUnknownLabel);
    labels.push_back(label == kUnknownLabel ? -1 : label);
    stream.add(payment);
  }
  Dataset data;
  data.name = name;
  data.task = Task::kBinary;
  data.metric = "roc_auc";
  data.num_classes = 2;
  data.class_names = {"clean", "fraud"};
  data.labels = at::tensor(labels, at::kLong);
  data.graph = stream.graph();
  data.features = stream.features();
  split_by_time(data, labels);
  return data;
}

}  // namespace geniepath
