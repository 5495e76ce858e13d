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
    share_public_devices();
    return std::move(world_);
  }

 private:
  static constexpr int kLargestGroup = 24 + 9;
  static constexpr int kFirstPublicDevices = 3;  // of a place with more than one group
  static constexpr int kGroupsPerPublicDevice = 5;

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
    const size_t first_group = world_.groups.size();
    Place place;
    place.first_account = static_cast<NodeId>(world_.accounts.size());
    for (int64_t g = 0; g < size && has_room(); ++g) {
      add_random_group();
      const int opened = g == 1 ? kFirstPublicDevices : g % kGroupsPerPublicDevice == 0 && g > 0 ? 1 : 0;
      for (int d = 0; d < opened; ++d) place.public_devices.push_back(add_device(DeviceKind::kPublic));
    }
    place.end_account = static_cast<NodeId>(world_.accounts.size());
    for (size_t g = first_group; g < world_.groups.size(); ++g) {
      if (world_.groups[g].kind == GroupKind::kRing) add_false_friends(world_.groups[g], first_group);
    }
    world_.places.push_back(std::move(place));
  }

  // Adds rings while malicious accounts are below their share.
  void add_random_group() {
    const bool due = static_cast<double>(malicious_) < kMaliciousShare * static_cast<double>(world_.accounts.size());
    if (due && happens(random_, 0.1)) return add_ring();
    static constexpr std::array<int, 8> kHouseholdAccounts{1, 2, 2, 2, 3, 3, 4, 4};
    const bool shop = happens(random_, 0.01);
    const int accounts = shop ? between(random_, 3, 6) : kHouseholdAccounts[random_.below(8)];
    const int devices = between(random_, 1, 3);
    add_group(shop ? GroupKind::kShop : GroupKind::kHousehold, accounts, devices);
  }

  void add_ring() {
    const bool large = happens(random_, 0.1);
    const int accounts = between(random_, 5, 12) * (large ? 2 : 1);
    add_group(GroupKind::kRing, accounts, accounts / 3 + 1);
    malicious_ += accounts;
  }

  void add_group(GroupKind kind, int accounts, int devices) {
    const Group group{kind, static_cast<NodeId>(world_.accounts.size()), static_cast<NodeId>(world_.devices.size()),
                      accounts, devices};
    const auto number = static_cast<int32_t>(world_.groups.size());
    world_.groups.push_back(group);
    for (int d = 0; d < devices; ++d) add_device(kind == GroupKind::kRing ? DeviceKind::kRing : DeviceKind::kPersonal);
    world_.accounts.resize(world_.accounts.size() + static_cast<size_t>(accounts));
    for (Account& account : members(group)) account.group = number;
    kind == GroupKind::kRing ? join_ring(group) : join_home(group);
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
    const double bursty = group.kind == GroupKind::kShop ? 1 : 0.02;
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
  // next. All accounts of a quiet device are sleepers, and so are a tenth of the others.
  void join_ring(const Group& group) {
    std::vector<bool> quiet(static_cast<size_t>(group.devices));
    for (size_t d = 1; d < quiet.size(); ++d) quiet[d] = happens(random_, 0.2);
    int previous = -1;
    for (int a = 0; a < group.accounts; ++a) {
      Account& member = account(group.first_account + a);
      const int home = a * group.devices / group.accounts;
      const bool links = home != std::exchange(previous, home);
      member.malicious = true;
      member.bursty = !quiet[static_cast<size_t>(home)] && !happens(random_, 0.1);
      use(member, group.first_device + home);
      if (links || happens(random_, 0.4)) use(member, group.first_device + (home + 1) % group.devices);
      member.own_devices = static_cast<int>(member.devices.size());
    }
  }

  // A ring member on a device of a normal household, and a normal account lured onto a device of the ring.
  void add_false_friends(const Group& ring, size_t first_group) {
    const size_t other = first_group + random_.below(world_.groups.size() - first_group);
    const Group& home = world_.groups[other];
    if (home.kind == GroupKind::kRing) return;
    Account& relative = account(ring.first_account + between(random_, 0, ring.accounts - 1));
    Account& victim = account(home.first_account + between(random_, 0, home.accounts - 1));
    if (happens(random_, 0.5)) use(relative, home.first_device);
    if (happens(random_, 0.5)) use(victim, ring.first_device + between(random_, 0, ring.devices - 1));
  }

  // Gives every public device at least one account.
  void open_public_devices() {
    for (const Place& place : world_.places) {
      for (const NodeId device : place.public_devices) {
        use(account(between(random_, place.first_account, place.end_account - 1)), device);
      }
    }
  }

  // Adds edges between accounts and public devices of their place until the graph is as dense as the paper's; a small
  // world may run out of them. The first public devices of a place are the popular ones.
  void share_public_devices() {
    std::vector<std::pair<NodeId, const Place*>> visitors;
    for (const Place& place : world_.places) {
      if (place.public_devices.empty()) continue;
      for (NodeId a = place.first_account; a < place.end_account; ++a) visitors.emplace_back(a, &place);
    }
    const int64_t wanted = nodes_ * kPaperEdges / kPaperNodes;
    for (int64_t attempts = 4 * wanted; attempts > 0 && world_.edges < wanted; --attempts) {
      const auto& [visitor, place] = visitors[random_.below(visitors.size())];
      const double draw = random_.uniform();
      const auto popular = static_cast<size_t>(draw * draw * static_cast<double>(place->public_devices.size()));
      use(account(visitor), place->public_devices[popular]);
    }
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
