#include "data/account_device/account_device_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "data/draws.h"

namespace geniepath::account_device {
namespace {

class WorldBuilder {
 public:
  WorldBuilder(int64_t nodes, uint64_t seed) : nodes_(nodes), seed_(seed), random_{seed, kWorld} {}

  World build() {
    while (has_room()) add_place();
    while (room() > 0) add_group(GroupKind::kHousehold, 1, room() == 3 ? 2 : 1);
    add_visits_to_hosts();
    add_visits_to_gateways();
    return std::move(world_);
  }

 private:
  static constexpr int kLargestGroup = 24 + 9 + 1;                           // accounts, devices, gateway
  static constexpr double kAlone = 0.895;                                    // places that are a single household
  static constexpr double kRings = 0.4, kShops = 0.03;                       // of a place's groups; the others: teams
  static constexpr double kGatewaysOfRings = 0.65, kGatewaysOfOthers = 0.15; // groups that run one
  static constexpr double kActive = 0.4, kGamers = 0.03;  // bursty members of a ring, and of a household or team
  static constexpr double kQuiet = 0.2;                   // devices of a ring with sleepers only

  int64_t room() const { return nodes_ - world_.nodes(); }
  // Room for any group and at least one more account with a device.
  bool has_room() const { return room() >= kLargestGroup + 2; }

  // In groups: Pareto from two up to a share of the nodes; the first place is that large, so every world has a hub.
  int64_t draw_place_size() {
    const double largest = std::max(2.0, static_cast<double>(nodes_) / 125);
    if (world_.places.empty()) return static_cast<int64_t>(largest);
    if (happens(random_, kAlone)) return 1;
    return static_cast<int64_t>(std::min(largest, 2 * std::pow(1 - random_.uniform(), -1 / 1.5)));
  }

  void add_place() {
    const int64_t size = draw_place_size();
    const size_t first_device = world_.devices.size();
    Place place;
    place.first_account = static_cast<NodeId>(world_.accounts.size());
    for (int64_t g = 0; g < size && has_room(); ++g) size == 1 ? add_household() : add_crew();
    place.end_account = static_cast<NodeId>(world_.accounts.size());
    for (size_t d = first_device; d < world_.devices.size(); ++d) {
      if (world_.devices[d].gateway) place.gateways.push_back(static_cast<NodeId>(d));
    }
    world_.places.push_back(std::move(place));
  }

  void add_household() {
    static constexpr std::array<int, 8> kAccounts{1, 2, 2, 2, 3, 3, 4, 4};
    const int accounts = kAccounts[random_.below(8)];
    add_group(GroupKind::kHousehold, accounts, between(random_, 1, 3));
  }

  // Its shape does not depend on its kind.
  void add_crew() {
    const bool large = happens(random_, 0.1);
    const int accounts = between(random_, 5, 12) * (large ? 2 : 1);
    const GroupKind kind = draw_crew_kind();
    if (kind == GroupKind::kRing) malicious_ += accounts;
    add_group(kind, accounts, accounts / 3 + 1);
    if (happens(random_, kind == GroupKind::kRing ? kGatewaysOfRings : kGatewaysOfOthers)) add_gateway();
  }

  // A ring only while malicious accounts are below their share.
  GroupKind draw_crew_kind() {
    const bool due = static_cast<double>(malicious_) < kMaliciousShare * static_cast<double>(world_.accounts.size());
    if (happens(random_, kRings) && due) return GroupKind::kRing;
    return happens(random_, kShops) ? GroupKind::kShop : GroupKind::kTeam;
  }

  void add_group(GroupKind kind, int accounts, int devices) {
    const Group group{kind, static_cast<NodeId>(world_.accounts.size()), static_cast<NodeId>(world_.devices.size()),
                      accounts, devices, draw_carrier()};
    const auto number = static_cast<int32_t>(world_.groups.size());
    world_.groups.push_back(group);
    world_.devices.resize(world_.devices.size() + static_cast<size_t>(devices), {.group = number});
    world_.accounts.resize(world_.accounts.size() + static_cast<size_t>(accounts));
    for (Account& account : members(group)) account.group = number;
    kind == GroupKind::kHousehold ? join_home(group) : join_chain(group);
  }

  // A carrier other than the latest group's.
  int draw_carrier() {
    if (world_.groups.empty()) return between(random_, 0, kCarriers - 1);
    return (world_.groups.back().carrier + between(random_, 1, kCarriers - 1)) % kCarriers;
  }

  // A device to which all accounts of the latest group are tied.
  void add_gateway() {
    Group& group = world_.groups.back();
    const auto device = static_cast<NodeId>(world_.devices.size());
    world_.devices.push_back({.group = static_cast<int32_t>(world_.groups.size() - 1), .gateway = true});
    ++group.devices;
    for (Account& member : members(group)) tie(member, device);
  }

  std::span<Account> members(const Group& group) {
    return std::span(world_.accounts)
        .subspan(static_cast<size_t>(group.first_account), static_cast<size_t>(group.accounts));
  }

  // Every account uses one device of the group and most of the others; every device has an account.
  void join_home(const Group& group) {
    for (int a = 0; a < group.accounts; ++a) {
      Account& member = account(group.first_account + a);
      member.bursty = happens(random_, kGamers);
      for (int d = 0; d < group.devices; ++d) {
        if (a == 0 || d == a % group.devices || happens(random_, 0.7)) tie(member, group.first_device + d);
      }
    }
  }

  // A closed chain of devices: each account uses one; the first account of a device, and often others, also use the
  // next. In a ring, all accounts of a quiet device are sleepers.
  void join_chain(const Group& group) {
    const bool ring = group.kind == GroupKind::kRing;
    const double bursty = ring ? kActive : group.kind == GroupKind::kShop ? 1 : kGamers;
    std::vector<bool> quiet(static_cast<size_t>(group.devices));
    for (size_t d = 1; d < quiet.size(); ++d) quiet[d] = ring && happens(random_, kQuiet);
    int previous = -1;
    for (int a = 0; a < group.accounts; ++a) {
      Account& member = account(group.first_account + a);
      const int home = a * group.devices / group.accounts;
      const bool links = home != std::exchange(previous, home);
      member.bursty = !quiet[static_cast<size_t>(home)] && happens(random_, bursty);
      tie(member, group.first_device + home);
      if (links || happens(random_, 0.4)) tie(member, group.first_device + (home + 1) % group.devices);
    }
  }

  // Every account visits the devices to which its host, an account of another carrier, is tied, but not its gateway. No
  // two accounts of a place have the same host, so each device has as many visitors as it has ties.
  void add_visits_to_hosts() {
    for (const Place& place : world_.places) {
      const std::vector<NodeId> hosts = draw_hosts(place);
      for (size_t a = 0; a < hosts.size(); ++a) {
        Account& visitor = account(place.first_account + static_cast<NodeId>(a));
        if (carrier(visitor) != carrier(account(hosts[a]))) visit(visitor, account(hosts[a]));
      }
    }
  }

  void visit(Account& visitor, const Account& host) {
    for (const NodeId device : std::span(host.devices).first(static_cast<size_t>(host.own_devices))) {
      if (!world_.devices[static_cast<size_t>(device)].gateway) use(visitor, device);
    }
  }

  // The accounts in random order, then exchanged where visitor and host have the same carrier; where a place has few
  // groups, some may still have it.
  std::vector<NodeId> draw_hosts(const Place& place) {
    std::vector<NodeId> hosts(static_cast<size_t>(place.end_account - place.first_account));
    std::iota(hosts.begin(), hosts.end(), place.first_account);
    shuffle(hosts, Random{seed_, kHosts, static_cast<uint64_t>(place.first_account)});
    const auto at_home = [&](size_t visitor, size_t host) {
      return carrier(account(place.first_account + static_cast<NodeId>(visitor))) == carrier(account(hosts[host]));
    };
    for (size_t a = 0; a < hosts.size(); ++a) {
      for (int attempts = 8; attempts > 0 && at_home(a, a); --attempts) {
        const size_t other = random_.below(hosts.size());
        if (!at_home(a, other) && !at_home(other, a)) std::swap(hosts[a], hosts[other]);
      }
    }
    return hosts;
  }

  // Adds visits from accounts of other carriers until the graph is as dense as the paper's; a small world may run out
  // of such accounts. The first gateways of a place are the popular ones.
  void add_visits_to_gateways() {
    std::vector<std::pair<NodeId, const Place*>> visitors;
    for (const Place& place : world_.places) {
      if (place.gateways.empty()) continue;
      for (NodeId a = place.first_account; a < place.end_account; ++a) visitors.emplace_back(a, &place);
    }
    const int64_t wanted = visitors.empty() ? 0 : nodes_ * kPaperEdges / kPaperNodes;
    for (int64_t attempts = 8 * wanted; attempts > 0 && world_.edges < wanted; --attempts) {
      const auto& [visitor, place] = visitors[random_.below(visitors.size())];
      const NodeId gateway = popular_gateway(*place);
      const Device& device = world_.devices[static_cast<size_t>(gateway)];
      if (carrier(account(visitor)) != carrier(device)) use(account(visitor), gateway);
    }
  }

  NodeId popular_gateway(const Place& place) {
    const double draw = random_.uniform();
    return place.gateways[static_cast<size_t>(draw * draw * static_cast<double>(place.gateways.size()))];
  }

  template <typename Member>
  int carrier(const Member& member) const {
    return world_.groups[static_cast<size_t>(member.group)].carrier;
  }
  Account& account(NodeId number) { return world_.accounts[static_cast<size_t>(number)]; }

  void tie(Account& account, NodeId device) {
    use(account, device);
    account.own_devices = static_cast<int>(account.devices.size());
  }

  void use(Account& account, NodeId device) {
    if (std::find(account.devices.begin(), account.devices.end(), device) != account.devices.end()) return;
    account.devices.push_back(device);
    ++world_.edges;
  }

  int64_t nodes_;
  uint64_t seed_;
  Random random_;
  World world_;
  int64_t malicious_ = 0;
};

}  // namespace

World make_world(int64_t nodes, uint64_t seed) { return WorldBuilder(nodes, seed).build(); }

}  // namespace geniepath::account_device
