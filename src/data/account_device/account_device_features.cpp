#include "data/account_device/account_device_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "base/parallel.h"
#include "data/draws.h"

namespace geniepath::account_device {
namespace {

constexpr double kPaperFeatures = 4000;
constexpr int64_t kDefaultNodes = 20000;
constexpr double kDefaultFeatures = 400;
constexpr int kHoursOfWeek = 7 * 24;
constexpr double kAnyCarrier = 0.04;                            // share of accounts and devices that show a random one
constexpr double kAutomatedRing = 0.7, kAutomatedOther = 0.02;  // share of the devices that show it
constexpr float kUsual = 0.3f, kTelling = 3;                    // values of most fields, and of the decisive ones

struct Field {
  int32_t first = 0;
  int32_t size = 0;
};

// The meaning of the columns, at least 400: the first seven tenths describe accounts, the rest devices, the last both.
struct Layout {
  explicit Layout(int64_t features) {
    const auto all = static_cast<int32_t>(features);
    const int32_t account_end = all * 7 / 10;
    channels = std::max(1, account_end * 3 / 4 / kHoursOfWeek);
    logins = take(kHoursOfWeek * channels);
    peak = take(10);
    age = take(10);
    cards = take(6);
    checks = take(4);
    spending = take(12);
    city = take((account_end - end) * 6 / 10);
    version = take(account_end - end);
    totals = take((all - account_end) / 2);
    network = take(6);
    automation = take(1);
    system = take(4);
    screen = take(5);
    model = take(all - end - kCarriers);
    carrier = take(kCarriers);
  }

  int32_t channels = 0;
  Field logins;                                       // hour of the week and channel
  Field peak;                                         // most logins in a bucket, in steps of two
  Field age, cards, checks, spending, city, version;  // of an account
  Field totals;                                       // the same buckets, coarser
  Field network, automation, system, screen, model;   // of a device
  Field carrier;                                      // of both

 private:
  Field take(int32_t size) {
    end += size;
    return {end - size, size};
  }
  int32_t end = 0;
};

struct Login {
  uint16_t bucket;  // hour of the week and channel
  uint16_t count;
  NodeId device;
};

constexpr size_t kAtOnce = 1 << 14;  // accounts or rows per task

// Logins during one week of some accounts, one after the other.
class Behaviour {
 public:
  Behaviour(const World& world, const Layout& layout, uint64_t seed, size_t first_account, size_t end_account)
      : world_(world), seed_(seed), channels_(layout.channels), first_(first_account) {
    offset_.reserve(end_account - first_account + 1);
    logins_.reserve((end_account - first_account) * 28);
    offset_.push_back(0);
    for (size_t a = first_account; a < end_account; ++a) {
      simulate(a);
      offset_.push_back(logins_.size());
    }
  }

  std::span<const Login> of_account(size_t account) const {
    const size_t at = account - first_;
    return std::span(logins_).subspan(offset_[at], offset_[at + 1] - offset_[at]);
  }
  std::span<const Login> all() const { return logins_; }

 private:
  static constexpr int kBurstHours = 3;

  struct Burst {
    std::array<int, kBurstHours> hour;  // of the week
    int channel;
  };

  void simulate(size_t number) {
    const Account& account = world_.accounts[number];
    Random random{seed_, kLogins, number};
    add_habits(account, random);
    if (account.bursty) add_bursts(account, bursts_of(number), random);
  }

  // A few hours of the day, plus or minus one, on most days; some logins at any time.
  void add_habits(const Account& account, Random& random) {
    const int main_channel = between(random, 0, channels_ - 1);
    const auto channel = [&] { return happens(random, 0.8) ? main_channel : between(random, 0, channels_ - 1); };
    for (int habit = 0; habit < 4; ++habit) {
      const int earliest = between(random, 7, 15);
      const int hour = earliest + between(random, 0, 8);
      for (int day = 0; day < 7; ++day) {
        if (!happens(random, 0.6)) continue;
        const int jittered = kHoursOfWeek + day * 24 + hour + between(random, -1, 1);
        const int count = 1 + poisson(random, 0.6);
        add(account, jittered % kHoursOfWeek, channel(), count, random);
      }
    }
    for (int extra = poisson(random, 5); extra > 0; --extra) {
      const int hour = between(random, 0, kHoursOfWeek - 1);
      const int count = 1 + poisson(random, 1);
      add(account, hour, channel(), count, random);
    }
  }

  void add_bursts(const Account& account, const Burst& burst, Random& random) {
    for (const int hour : burst.hour) {
      if (happens(random, 0.85)) add(account, hour, burst.channel, 5 + poisson(random, 7), random);
    }
  }

  // Hours and a channel, shared by all accounts of a ring or a shop; each gamer has its own.
  Burst bursts_of(size_t account) const {
    const auto group = static_cast<uint64_t>(world_.accounts[account].group);
    const GroupKind kind = world_.groups[group].kind;
    const bool shared = kind == GroupKind::kRing || kind == GroupKind::kShop;
    Random random{seed_, kBursts, group, shared ? 0 : account + 1};
    Burst burst{{}, between(random, 0, channels_ - 1)};
    for (int& hour : burst.hour) hour = between(random, 0, kHoursOfWeek - 1);
    return burst;
  }

  // Two of three logins are through a device of the account's group.
  void add(const Account& account, int hour, int channel, int count, Random& random) {
    const size_t choices = happens(random, 0.67) ? static_cast<size_t>(account.own_devices) : account.devices.size();
    const NodeId device = account.devices[random.below(choices)];
    logins_.push_back({static_cast<uint16_t>(hour * channels_ + channel), static_cast<uint16_t>(count), device});
  }

  const World& world_;
  uint64_t seed_;
  int channels_;
  size_t first_;
  std::vector<Login> logins_;
  std::vector<size_t> offset_;
};

// The behaviours of all accounts.
class Behaviours {
 public:
  Behaviours(const World& world, const Layout& layout, uint64_t seed)
      : pieces_((world.accounts.size() + kAtOnce - 1) / kAtOnce) {
    in_parallel(std::ssize(pieces_), [&](int64_t piece) {
      const size_t first = static_cast<size_t>(piece) * kAtOnce, end = std::min(first + kAtOnce, world.accounts.size());
      pieces_[static_cast<size_t>(piece)].emplace(world, layout, seed, first, end);
    });
  }

  std::span<const Login> of_account(size_t account) const { return pieces_[account / kAtOnce]->of_account(account); }

  template <class Visit>
  void each(const Visit& visit) const {
    for (const auto& piece : pieces_) {
      for (const Login& login : piece->all()) visit(login);
    }
  }

 private:
  std::vector<std::optional<Behaviour>> pieces_;
};

struct Count {
  uint16_t bucket;
  uint16_t logins;
};

// The logins through each device, in the order of the accounts.
class LoginsByDevice {
 public:
  LoginsByDevice(const Behaviours& behaviours, size_t devices) : offset_(devices + 1, 0) {
    behaviours.each([&](const Login& login) { ++offset_[static_cast<size_t>(login.device) + 1]; });
    std::partial_sum(offset_.begin(), offset_.end(), offset_.begin());
    counts_.resize(offset_.back());
    std::vector<size_t> next(offset_.begin(), offset_.end() - 1);
    behaviours.each([&](const Login& login) {
      counts_[next[static_cast<size_t>(login.device)]++] = {login.bucket, login.count};
    });
  }

  std::span<const Count> of(size_t device) const {
    return std::span(counts_).subspan(offset_[device], offset_[device + 1] - offset_[device]);
  }

 private:
  std::vector<size_t> offset_;
  std::vector<Count> counts_;
};

// The data that features are made from.
struct Source {
  Source(const World& of, uint64_t its_seed)
      : world(of), seed(its_seed), layout(num_features(of.nodes())), behaviours(of, layout, seed),
        by_device(behaviours, of.devices.size()) {}

  const World& world;
  uint64_t seed;
  Layout layout;
  Behaviours behaviours;
  LoginsByDevice by_device;
};

// Writes rows one after the other, columns ascending.
class FeatureWriter {
 public:
  explicit FeatureWriter(const Source& source)
      : world_(source.world),
        behaviours_(source.behaviours),
        by_device_(source.by_device),
        layout_(source.layout),
        seed_(source.seed) {
    column_.reserve(kAtOnce * kUsualRow);
    value_.reserve(column_.capacity());
  }

  void add_account(size_t account) {
    for (const Login& login : behaviours_.of_account(account)) counts_.push_back({login.bucket, login.count});
    const int32_t peak = write_counts(layout_.logins);
    write(layout_.peak.first + peak * layout_.peak.size / (kMostLogins + 1), 1);
    Random random{seed_, kProfile, account};
    write_profile(account, random);
    write_carrier(world_.accounts[account].group, random);
    offset_.push_back(static_cast<int64_t>(column_.size()));
  }

  void add_device(size_t device) {
    const int32_t buckets = layout_.logins.size;
    for (const Count& count : by_device_.of(device)) {
      counts_.push_back({static_cast<uint16_t>(count.bucket * layout_.totals.size / buckets), count.logins});
    }
    write_counts(layout_.totals);
    Random random{seed_, kDevice, device};
    write_device_kind(device, random);
    write_carrier(world_.devices[device].group, random);
    offset_.push_back(static_cast<int64_t>(column_.size()));
  }

  std::span<const int64_t> row_ends() const { return std::span(offset_).subspan(1); }
  std::span<const int32_t> columns() const { return column_; }
  std::span<const float> values() const { return value_; }

 private:
  static constexpr size_t kUsualRow = 32;
  static constexpr int kMostLogins = 19;  // larger counts are capped: log(1 + 19) is 3

  enum class Prefer { kNone, kFirst };  // among the values of a field

  // Returns the largest.
  int32_t write_counts(Field field) {
    int32_t largest = 0;
    std::sort(counts_.begin(), counts_.end(), [](const Count& a, const Count& b) { return a.bucket < b.bucket; });
    for (size_t at = 0; at < counts_.size();) {
      const int32_t bucket = counts_[at].bucket;
      int32_t logins = 0;
      for (; at < counts_.size() && counts_[at].bucket == bucket; ++at) logins += counts_[at].logins;
      logins = std::min(logins, kMostLogins);
      largest = std::max(largest, logins);
      write(field.first + bucket, kUsual * log_[static_cast<size_t>(logins)]);
    }
    counts_.clear();
    return largest;
  }

  void write_carrier(int32_t group, Random& random) {
    const int carrier = world_.groups[static_cast<size_t>(group)].carrier;
    const int shown = happens(random, kAnyCarrier) ? between(random, 0, kCarriers - 1) : carrier;
    write(layout_.carrier.first + shown, kTelling);
  }

  // Malicious accounts are a little more often new, with few cards, few identity checks, little spending.
  void write_profile(size_t account, Random& random) {
    const bool malicious = world_.in_ring(world_.accounts[account].group);
    for (const Field& field : {layout_.age, layout_.cards, layout_.checks, layout_.spending}) {
      write_choice(field, random, malicious && happens(random, 0.5) ? Prefer::kFirst : Prefer::kNone);
    }
    write_choice(layout_.city, random, Prefer::kFirst);
    write_choice(layout_.version, random, Prefer::kNone);
  }

  // Gateways and other devices draw from different halves of the kinds of network, with some noise.
  void write_device_kind(size_t device, Random& random) {
    const Field& network = layout_.network;
    const bool looks_public = world_.devices[device].gateway != happens(random, 0.12);
    write_choice({network.first + (looks_public ? network.size / 2 : 0), network.size / 2}, random, Prefer::kNone);
    const bool in_ring = world_.in_ring(world_.devices[device].group);
    if (happens(random, in_ring ? kAutomatedRing : kAutomatedOther)) write(layout_.automation.first, kTelling);
    write_choice(layout_.system, random, Prefer::kFirst);
    write_choice(layout_.screen, random, Prefer::kNone);
    write_choice(layout_.model, random, Prefer::kFirst);
  }

  void write_choice(const Field& field, Random& random, Prefer prefer) {
    double draw = random.uniform();
    if (prefer == Prefer::kFirst) draw *= draw;
    write(field.first + static_cast<int32_t>(draw * field.size), kUsual);
  }

  void write(int32_t column, float value) {
    column_.push_back(column);
    value_.push_back(value);
  }

  static std::array<float, kMostLogins + 1> logarithms() {
    std::array<float, kMostLogins + 1> table{};
    for (size_t n = 0; n < table.size(); ++n) table[n] = static_cast<float>(std::log1p(static_cast<double>(n)));
    return table;
  }

  const World& world_;
  const Behaviours& behaviours_;
  const LoginsByDevice& by_device_;
  const Layout& layout_;
  uint64_t seed_;
  std::array<float, kMostLogins + 1> log_ = logarithms();
  std::vector<Count> counts_;
  std::vector<int64_t> offset_{0};
  std::vector<int32_t> column_;
  std::vector<float> value_;
};

using FeatureWriters = std::vector<std::optional<FeatureWriter>>;

// Node i is the account or device made_as[i]; devices are counted after the accounts.
FeatureWriters written(const Source& source, std::span<const size_t> made_as) {
  const size_t accounts = source.world.accounts.size();
  FeatureWriters writers((made_as.size() + kAtOnce - 1) / kAtOnce);
  in_parallel(std::ssize(writers), [&](int64_t w) {
    FeatureWriter& writer = writers[static_cast<size_t>(w)].emplace(source);
    const size_t first = static_cast<size_t>(w) * kAtOnce, end = std::min(first + kAtOnce, made_as.size());
    for (const size_t n : made_as.subspan(first, end - first)) {
      n < accounts ? writer.add_account(n) : writer.add_device(n - accounts);
    }
  });
  return writers;
}

// The rows of all writers, one after the other. Each writer's memory is freed once its rows are copied.
SparseMatrix joined(FeatureWriters writers, int64_t rows, int64_t features) {
  std::vector<int64_t> first_entry{0};
  for (const auto& writer : writers) first_entry.push_back(first_entry.back() + std::ssize(writer->columns()));
  LargeArray<int64_t> offset(rows + 1);
  LargeArray<int32_t> column(first_entry.back());
  LargeArray<float> value(first_entry.back());
  offset[0] = 0;
  in_parallel(std::ssize(writers), [&](int64_t w) {
    auto& writer = writers[static_cast<size_t>(w)];
    const int64_t first = first_entry[static_cast<size_t>(w)];
    std::ranges::transform(writer->row_ends(), offset.data() + w * static_cast<int64_t>(kAtOnce) + 1,
                           [first](int64_t end) { return first + end; });
    std::ranges::copy(writer->columns(), column.data() + first);
    std::ranges::copy(writer->values(), value.data() + first);
    writer.reset();
  });
  return {rows, features, offset.share(), column.share(), value.share()};
}

}  // namespace

int64_t num_features(int64_t nodes) {
  const double power = std::log(kPaperFeatures / kDefaultFeatures) /
                       std::log(static_cast<double>(kPaperNodes) / static_cast<double>(kDefaultNodes));
  const int64_t within = std::clamp(nodes, kDefaultNodes, kPaperNodes);
  const double growth = static_cast<double>(within) / static_cast<double>(kDefaultNodes);
  return std::llround(kDefaultFeatures * std::pow(growth, power));
}

SparseMatrix make_features(const World& world, std::span<const NodeId> ids, uint64_t seed) {
  std::vector<size_t> made_as(ids.size());
  for (size_t n = 0; n < ids.size(); ++n) made_as[static_cast<size_t>(ids[n])] = n;
  FeatureWriters writers = written(Source(world, seed), made_as);  // the source's memory is freed here
  return joined(std::move(writers), world.nodes(), num_features(world.nodes()));
}

}  // namespace geniepath::account_device
