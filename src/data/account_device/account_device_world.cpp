#include "data/account_device/account_device_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "data/draws.h"

namespace geniepath::account_device {
namespace {

class WorldBuilder {
 public:
  WorldBuilder(int64_t nodes, uint64_t seed) : nodes_(nodes), random_{seed, kWorld} {}

  World build() {
    while (has_room()) add_place();
    while (room() > 0) add_group(GroupKind::kHousehold, 1, room() == 3 ? 2 : 1);
    open_public_devices();
    add_visits();
    return std::move(world_);
  }

 private:
  static constexpr int kLargestGroup = 24 + 9;
  static constexpr int kFirstPublicDevices = 3;  // of a place with more than one group
  static constexpr int kGroupsPerPublicDevice = 5;
  static constexpr double kRings = 0.1, kTeams = 0.02, kShops = 0.01;  // of the groups of a place; others: households
  static constexpr double kActive = 0.8, kGamers = 0.02;  // bursty members of a ring, and of a household or team
  static constexpr double kToStrangers = 0.15;            // of the visits; the others are to public devices

  int64_t room() const { return nodes_ - world_.nodes(); }
  // Room for any group, its public devices and at least one more account with a device.
  bool has_room() const { return room() >= kLargestGroup + kFirstPublicDevices + 2; }

  // In groups: Pareto from two up to a hundredth of the nodes; the first place is that large, so every world has a hub.
  int64_t draw_place_size() {
    const double largest = static_cast<double>(nodes_) / 100;
    if (world_.places.empty()) return static_cast<int64_t>(largest);
    if (happens(random_, 0.74)) return 1;
    return static_cast<int64_t>(std::min(largest, 2 * std::pow(1 - random_.uniform(), -1 / 1.5)));
  }

  void add_place() {
    const int64_t size = draw_place_size();
    Place place;
    place.first_account = static_cast<NodeId>(world_.accounts.size());
    place.first_device = static_cast<NodeId>(world_.devices.size());
    for (int64_t g = 0; g < size && has_room(); ++g) {
      size == 1 ? add_household() : add_random_group();
      const int opened = g == 1 ? kFirstPublicDevices : g % kGroupsPerPublicDevice == 0 && g > 0 ? 1 : 0;
      for (int d = 0; d < opened; ++d) place.public_devices.push_back(add_device(DeviceKind::kPublic));
    }
    place.end_account = static_cast<NodeId>(world_.accounts.size());
    place.end_device = static_cast<NodeId>(world_.devices.size());
    world_.places.push_back(std::move(place));
  }

  // Adds rings while malicious accounts are below their share.
  void add_random_group() {
    const bool due = static_cast<double>(malicious_) < kMaliciousShare * static_cast<double>(world_.accounts.size());
    if (due && happens(random_, kRings)) return add_chain(GroupKind::kRing);
    if (happens(random_, kTeams)) return add_chain(GroupKind::kTeam);
    if (!happens(random_, kShops)) return add_household();
    const int accounts = between(random_, 3, 6);
    add_group(GroupKind::kShop, accounts, between(random_, 1, 3));
  }

  void add_household() {
    static constexpr std::array<int, 8> kAccounts{1, 2, 2, 2, 3, 3, 4, 4};
    const int accounts = kAccounts[random_.below(8)];
    add_group(GroupKind::kHousehold, accounts, between(random_, 1, 3));
  }

  void add_chain(GroupKind kind) {
    const bool large = happens(random_, 0.1);
    const int accounts = between(random_, 5, 12) * (large ? 2 : 1);
    add_group(kind, accounts, accounts / 3 + 1);
    if (kind == GroupKind::kRing) malicious_ += accounts;
  }

  void add_group(GroupKind kind, int accounts, int devices) {
    const Group group{kind, static_cast<NodeId>(world_.accounts.size()), static_cast<NodeId>(world_.devices.size()),
                      accounts, devices};
    const auto number = static_cast<int32_t>(world_.groups.size());
    world_.groups.push_back(group);
    for (int d = 0; d < devices; ++d) add_device(kind == GroupKind::kRing ? DeviceKind::kRing : DeviceKind::kPersonal);
    world_.accounts.resize(world_.accounts.size() + static_cast<size_t>(accounts));
    for (Account& account : members(group)) account.group = number;
    const bool chain = kind == GroupKind::kRing || kind == GroupKind::kTeam;
    chain ? join_chain(group) : join_home(group);
  }

  NodeId add_device(DeviceKind kind) {
    world_.devices.push_back(kind);
    return static_cast<NodeId>(world_.devices.size() - 1);
  }

  std::span<Account> members(const Group& group) {
    return std::span(world_.accounts)
        .subspan(static_cast<size_t>(group.first_account), static_cast<size_t>(group.accounts));
  }

  // Every account uses one device of the group and most of the others; every device has an account.
  void join_home(const Group& group) {
    const double bursty = group.kind == GroupKind::kShop ? 1 : kGamers;
    for (int a = 0; a < group.accounts; ++a) {
      Account& member = account(group.first_account + a);
      member.bursty = happens(random_, bursty);
      for (int d = 0; d < group.devices; ++d) {
        if (a == 0 || d == a % group.devices || happens(random_, 0.7)) use(member, group.first_device + d);
      }
      member.own_devices = static_cast<int>(member.devices.size());
    }
  }

  // A closed chain of devices: each account uses one; the first account of a device, and often others, also use the
  // next. In a ring, all accounts of a quiet device are sleepers.
  void join_chain(const Group& group) {
    const bool ring = group.kind == GroupKind::kRing;
    std::vector<bool> quiet(static_cast<size_t>(group.devices));
    for (size_t d = 1; d < quiet.size(); ++d) quiet[d] = ring && happens(random_, 0.2);
    int previous = -1;
    for (int a = 0; a < group.accounts; ++a) {
      Account& member = account(group.first_account + a);
      const int home = a * group.devices / group.accounts;
      const bool links = home != std::exchange(previous, home);
      member.malicious = ring;
      member.bursty = !quiet[static_cast<size_t>(home)] && happens(random_, ring ? kActive : kGamers);
      use(member, group.first_device + home);
      if (links || happens(random_, 0.4)) use(member, group.first_device + (home + 1) % group.devices);
      member.own_devices = static_cast<int>(member.devices.size());
    }
  }

  // Gives every public device at least one account.
  void open_public_devices() {
    for (const Place& place : world_.places) {
      for (const NodeId device : place.public_devices) {
        use(account(between(random_, place.first_account, place.end_account - 1)), device);
      }
    }
  }

  // Adds edges between accounts and devices of their place that are not their group's, until the graph is as dense as
  // the paper's; a small world may run out of them. The first public devices of a place are the popular ones.
  void add_visits() {
    std::vector<std::pair<NodeId, const Place*>> visitors;
    for (const Place& place : world_.places) {
      if (place.public_devices.empty()) continue;
      for (NodeId a = place.first_account; a < place.end_account; ++a) visitors.emplace_back(a, &place);
    }
    const int64_t wanted = nodes_ * kPaperEdges / kPaperNodes;
    for (int64_t attempts = 8 * wanted; attempts > 0 && world_.edges < wanted; --attempts) {
      const auto& [number, place] = visitors[random_.below(visitors.size())];
      Account& visitor = account(number);
      if (!happens(random_, kToStrangers)) {
        use(visitor, popular_device(*place));
      } else if (const NodeId device = between(random_, place->first_device, place->end_device - 1);
                 is_strange(visitor, device)) {
        use(visitor, device);
      }
    }
  }

  NodeId popular_device(const Place& place) {
    const double draw = random_.uniform();
    return place.public_devices[static_cast<size_t>(draw * draw * static_cast<double>(place.public_devices.size()))];
  }

  // Whether it belongs to another group.
  bool is_strange(const Account& visitor, NodeId device) const {
    const Group& own = world_.groups[static_cast<size_t>(visitor.group)];
    const bool is_own = device >= own.first_device && device < own.first_device + own.devices;
    return !is_own && world_.devices[static_cast<size_t>(device)] != DeviceKind::kPublic;
  }

  Account& account(NodeId number) { return world_.accounts[static_cast<size_t>(number)]; }

  void use(Account& account, NodeId device) {
    if (std::find(account.devices.begin(), account.devices.end(), device) != account.devices.end()) return;
    account.devices.push_back(device);
    ++world_.edges;
  }

  int64_t nodes_;
  Random random_;
  World world_;
  int64_t malicious_ = 0;
};

}  // namespace

World make_world(int64_t nodes, uint64_t seed) { return WorldBuilder(nodes, seed).build(); }

}  // namespace geniepath::account_device
